"""Artifacts on the run's page in Prefect: Markdown with small pictures in it, one version of each."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from uuid import UUID

from PIL import Image, features
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactCreate
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey
from prefect.client.schemas.sorting import ArtifactSort
from prefect.context import FlowRunContext, TaskRunContext

from flows.pages.tables import fitted
from flows.run.context import Run
from schemas.base import FileRef
from schemas.text.inert import inert_markdown
from schemas.text.visible import visible

_WIDTH = 700
_PICTURE = re.compile(r"!\[(?P<text>[^]]*)]\((?P<path>[^():\s]+\.png)\)")
_MOST_VERSIONS = 20


def artifact_key(run_id: str, name: str) -> str:
    """An artifact's key; of small letters, digits and dashes."""
    return re.sub(r"[^a-z0-9-]+", "-", f"{run_id}-{name}".lower()).strip("-")


def publish_markdown(
    run: Run, name: str, markdown: str, description: str, pictures: tuple[FileRef, ...] = ()
) -> None:
    """Create or replace the artifact `<run id>-<name>`; a failing server never stops a run."""
    shown = "".join(
        f"\n\n![{Path(ref.path).stem}]({data_address(run.run_dir / ref.path)})" for ref in pictures
    )
    try:
        inert = inert_markdown(embedded(fitted(markdown), run.run_dir))
        run.artifacts[name] = put_artifact(artifact_key(run.run_id, name), inert + shown, description)
    except Exception as error:  # noqa: BLE001  the page is a convenience, the run is not
        run.console.say(f"could not publish {name}: {type(error).__name__}: {error}")


def put_artifact(key: str, data: str | float, description: str, flow_run_id: str = "") -> str:
    """Show an artifact on the page of `flow_run_id`, or of the flow run at work; earlier versions of the key go. Its id.

    Prefect keeps what an artifact is created with three times over, once in an event. So it is created empty and filled then.
    """
    here = flow_run_id or _flow_run_at_work()
    kind = "markdown" if isinstance(data, str) else "progress"
    with get_client(sync_client=True) as client:
        known = client.read_artifacts(
            artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=[key])),
            sort=ArtifactSort.CREATED_DESC,
            limit=_MOST_VERSIONS,
        )
        kept = next((entry.id for entry in known if str(entry.flow_run_id) == here), None)
        if kept is None:
            made = ArtifactCreate(
                key=key,
                type=kind,
                data="" if kind == "markdown" else 0.0,
                description="being made",
                flow_run_id=UUID(here) if here else None,
            )
            kept = client.create_artifact(made).id
        client.request(
            "PATCH",
            "/artifacts/{id}",
            path_params={"id": kept},
            json={"data": data, "description": visible(description)},
        )
        for entry in known:
            if entry.id != kept:
                client.delete_artifact(entry.id)
    return str(kept)


def _flow_run_at_work() -> str:
    context, task = FlowRunContext.get(), TaskRunContext.get()
    if context is not None and context.flow_run is not None:
        return str(context.flow_run.id)
    return str(task.task_run.flow_run_id) if task is not None else ""


def embedded(markdown: str, root: Path) -> str:
    """The text with its pictures below `root` as data addresses: the page cannot fetch files of the run."""

    def replaced(found: re.Match[str]) -> str:
        path = (root / found["path"]).resolve()
        if not path.is_relative_to(root.resolve()) or not path.is_file():
            return found[0]
        return f"![{found['text']}]({data_address(path)})"

    return _PICTURE.sub(replaced, markdown)


def data_address(path: Path) -> str:
    """A picture as a data address, at most 700 pixels wide, as small as it can be stored without blurring its lines."""
    with Image.open(path, formats=("PNG", "JPEG")) as image:
        image.thumbnail((_WIDTH, 4 * _WIDTH))
        flat = image.convert("RGB")
    kind = "webp" if features.check("webp") else "png"
    buffer = io.BytesIO()
    flat.save(buffer, kind, **({"quality": 80, "method": 2} if kind == "webp" else {"optimize": True}))
    return f"data:image/{kind};base64," + base64.b64encode(buffer.getvalue()).decode()
