"""A process that holds one conversation with tools, and may kill itself in the middle of a call.

`python -m tests.flow.conversing FOLDER BASE_URL DIE_AT`: each call of the tool adds a line to FOLDER/used; before the DIE_AT-th
would answer, the process is gone. Prints the conversation's end as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any, ClassVar

FOLDER, BASE_URL, DIE_AT = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
from flows.serving.runtime import prepare_environment  # noqa: E402  before Prefect is imported

prepare_environment(FOLDER)

from prefect import flow  # noqa: E402

from agents.models.messages.messages_api import MessagesModel  # noqa: E402
from agents.talking.agent import Agent, Crew  # noqa: E402
from flows.calls.conversation import Conversation, TurnLimits, converse  # noqa: E402
from flows.calls.unfinished import Unfinished  # noqa: E402
from flows.run.clock import Clock  # noqa: E402
from flows.run.context import ACTIVE, Run  # noqa: E402
from flows.terminal.console import Console  # noqa: E402
from schemas.run.settings import CoreSettings, ModelSettings  # noqa: E402
from schemas.run.state import CoreState  # noqa: E402
from schemas.talking.review import ReviewAnswer  # noqa: E402
from schemas.talking.tools import ToolContext, ToolResult, ToolSpec  # noqa: E402
from schemas.talking.transcript import Position  # noqa: E402
from tasks.files.ledger import Ledger  # noqa: E402
from tasks.files.store import Store  # noqa: E402
from tasks.files.transcript import Transcript  # noqa: E402
from tasks.sandbox.sandbox_result import SandboxLevel  # noqa: E402

TOOL = ToolSpec(name="count", description="Counts.", input_schema={"type": "object"}, skill="mine")
AGENT = Agent(
    Crew("feedback_summary", lambda _: {}, lambda _: {}),
    "coder",
    "CoderAgent",
    "feedback_summary",
    ReviewAnswer,
    ("task",),
    False,
    "counts",
)
USED = FOLDER / "used"


class State(CoreState):
    """The state of a run about nothing."""

    OWNERSHIP: ClassVar = {"account": frozenset({"metrics", "runtime_used_s"})}

    def _check(self, node: str, update: Any) -> None:
        """Nothing is kept unchanged."""


class Toolbox:
    """One tool, which notes that it was used."""

    def call(
        self, name: str, arguments: dict[str, Any], context: ToolContext, *_: Any, **__: Any
    ) -> ToolResult:
        with USED.open("a") as notes:
            notes.write(f"{context.call_id}\n")
        if len(USED.read_text().splitlines()) == DIE_AT:
            os.kill(os.getpid(), signal.SIGKILL)
        return ToolResult(text=f"{name} {arguments}")


@flow(name="talk", persist_result=False)
def talk() -> Conversation[ReviewAnswer]:
    """The whole conversation."""
    settings = CoreSettings(
        model=ModelSettings(kind="anthropic", base_url=BASE_URL, name="claude-opus-5-5", timeout_s=60)
    )
    run = Run(
        run_dir=FOLDER,
        settings=settings,
        store=Store(FOLDER),
        sandbox=SandboxLevel("none", "none", ()),  # type: ignore[arg-type]
        model=MessagesModel(settings.model),
        transcript=Transcript(FOLDER / "transcript.jsonl", {"run_id": "r"}),
        ledger=Ledger(FOLDER / "failed.jsonl"),
        unfinished=Unfinished(FOLDER / "unfinished.jsonl"),
        console=Console(quiet=True),
        clock=Clock(FOLDER / "time.json", 3600),
        state=State(run_id="r"),
        answers={},
        simulation_slots=threading.Semaphore(1),
        toolbox=Toolbox(),
    )  # type: ignore[arg-type]
    ACTIVE[run.handle] = run
    return converse(
        run,
        AGENT,
        {"task": "count"},
        ReviewAnswer,
        position=Position(agent="coder", stage_id="n001"),
        tools=(TOOL,),
        place=ToolContext(),
        limits=TurnLimits(turns=8),
        stop=lambda: "enough" if len(set(USED.read_text().splitlines())) > 30 else "",
    )


if __name__ == "__main__":
    found = talk()
    print(
        json.dumps(
            {
                "answer": found.answer and found.answer.feedback,
                "turns": len(found.turns),
                "ended": found.ended,
            }
        )
    )
