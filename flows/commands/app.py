"""The commands of this package as the command line shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.commands.clone import clone
from flows.commands.exploring import explore
from flows.commands.keeping import clean, compare
from flows.commands.release import release
from flows.commands.studying import study
from flows.commands.up import down, people_app, up
from flows.terminal.expected_errors import guarded

papers_app = typer.Typer(
    no_args_is_help=False, help="List the bundled papers, check or import your own, or make a folder to fill."
)
transcript_app = typer.Typer(
    no_args_is_help=True, help="Read a run's transcript, or check one before sharing it."
)
prompts_app = typer.Typer(no_args_is_help=True, help="Show the agents' prompts, also as adapted to a paper.")

Outputs = Annotated[
    Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(explore)
    app.command()(study)
    app.command()(regress)
    app.command()(compare)
    app.command()(clean)
    app.command()(answer)
    app.command()(enough)
    app.command()(describe)
    app.command()(solve)
    app.command()(checkpoints)
    app.command()(digitise)
    app.command()(clone)
    app.command()(release)
    app.command()(up)
    app.command()(down)
    app.add_typer(people_app, name="people")
    app.add_typer(papers_app, name="papers", invoke_without_command=True)
    app.add_typer(transcript_app, name="transcript")
    app.add_typer(prompts_app, name="prompts")


def regress(
    paper: Annotated[
        str,
        typer.Argument(
            help="A bundled paper's id, a folder with its transcript.jsonl, or a finished run: "
            "its id, the beginning of one, or `latest`."
        ),
    ] = "",
    every: Annotated[
        bool, typer.Option("--all", help="All recorded bundled papers, one after another.")
    ] = False,
    accept: Annotated[
        str,
        typer.Option(metavar="REASON", help="Make these numbers the new baseline; the reason is kept in it."),
    ] = "",
    resume: Annotated[
        str, typer.Option(metavar="ID", help="Continue the unfinished regression of that id, or `latest`.")
    ] = "",
    schedule: Annotated[
        str,
        typer.Option(
            metavar="on|off",
            help="Switch the weekly regression of all papers on the Prefect "
            "server on or off, and run nothing.",
        ),
    ] = "",
    allow_degraded_sandbox: Annotated[
        bool,
        typer.Option(
            "--allow-degraded-sandbox", help="Run with resource limits only, where bubblewrap is missing."
        ),
    ] = False,
    meep_python: Annotated[
        str | None, typer.Option(envvar="REPROLAB_MEEP_PYTHON", help="Interpreter that has Meep.")
    ] = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Compare every number of a recorded paper, or of a run of yours, with its baseline: is all as it was?

    The recorded decisions are replayed, everything is simulated afresh, and each number is unchanged, drifted (inside its
    uncertainty) or broken. A drift fails where our own code changed; else it is a note. Exit codes: 0 unchanged, noted or
    accepted, 20 drifted, 21 broken, 22 no baseline yet (docs/guide/regression.md).
    """
    from flows.commands.regress import run_regress, run_switch

    if schedule:
        return guarded(lambda: run_switch(schedule, outputs.resolve()))
    guarded(
        lambda: run_regress(
            paper,
            outputs.resolve(),
            every=every,
            accept=accept,
            resume=resume,
            allow_degraded=allow_degraded_sandbox,
            meep_python=meep_python,
        )
    )


def checkpoints(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `latest`.")] = "latest",
    outputs: Outputs = Path("outputs"),
) -> None:
    """List a run's checkpoints: name, time, stage, size. `fork` and `resume --from-checkpoint` take one by its name."""
    from flows.commands.checkpoints import show_checkpoints

    guarded(lambda: show_checkpoints(outputs.resolve(), run))


def enough(
    run: Annotated[
        str, typer.Argument(help="A run's id, the beginning of one, its folder, or `latest`.")
    ] = "latest",
    outputs: Outputs = Path("outputs"),
) -> None:
    """Say of a stage that is being solved that it is enough: what runs ends, nothing further begins, and it is judged as it is.

    Grids that are complete stand, with the uncertainty they give; what has no value is said to have none. Other stages are
    solved as ever.
    """
    from flows.commands.enough import end_solving

    guarded(lambda: end_solving(outputs.resolve(), run))


def answer(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `latest`.")] = "latest",
    label: Annotated[
        str | None,
        typer.Argument(
            help="The request: its label, its page's number or name; or a question to a person: its name or kind. Without it, the "
            "waiting ones are listed."
        ),
    ] = None,
    file: Annotated[
        str,
        typer.Argument(
            help="A file with the answer; - for standard input. Of a question the answer itself: approve, 'guide: your words'."
        ),
    ] = "-",
    outputs: Outputs = Path("outputs"),
) -> None:
    """Answer a request of manual mode, or a question that a run in another terminal waits with; or list what waits.

    The answer to a request is one JSON object, bare or within the text a chat window gave. One that does not fit is not filed; the
    message says what is wrong, ready to be pasted into the same chat. An answer to a question is handed to the run, which goes on.
    """
    from flows.commands.answer import give_answer, list_waiting

    root = outputs.resolve()
    guarded(lambda: list_waiting(root, run) if label is None else give_answer(root, run, label, file))


MeepPython = Annotated[
    str | None, typer.Option(envvar="REPROLAB_MEEP_PYTHON", help="Interpreter that has Meep.")
]
Parameters = Annotated[
    Path | None,
    typer.Option(
        "--parameters", help="Declared parameters as JSON; parameters.json beside the description by default."
    ),
]
Materials = Annotated[
    Path | None,
    typer.Option(
        "--materials",
        help="Confirmed fits by name, as in a run's params.json; "
        "materials.json beside the description if there is one.",
    ),
]
_FORM = """

A description is a file `describe.py` with `from simkit.describe import *` and a function `describe(p)` that returns
`Problem(scenes=(...), quantities=(...))`. Every number of structure and light is a declared parameter, `p.thickness`, or
arithmetic on them; only 0, 1/2, 1, 2 and pi may be typed. `parameters.json` is a list of
`{"id": "thickness", "value": 15, "unit": "nm", "origin": "paper", "quotation": "a film of 15 nm"}`; other origins are
`assumption` (with `assumption_id`), `derived` (with `expression`) and `numerical` (bounds of a band).
Resolution, absorbers, sources, monitors and run times are chosen by the program. See docs/guide/solving.md."""


def describe(
    path: Annotated[
        Path | None, typer.Argument(help="A folder with describe.py and parameters.json, or the Python file.")
    ] = None,
    parameters: Parameters = None,
    materials: Materials = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the description's document instead.")
    ] = False,
    probe: Annotated[
        bool, typer.Option("--probe", help="Time some steps of each run with Meep for the cost.")
    ] = False,
    meep_python: MeepPython = None,
    paper: Annotated[
        Path | None, typer.Option("--paper", help="The paper's text: check that it holds the quotations.")
    ] = None,
    contract: Annotated[
        bool,
        typer.Option(
            "--contract",
            help="Print the vocabulary instead: every class with its arguments and units; needs no path.",
        ),
    ] = False,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Check a description of a simulation and print its parameters, scenes, quantities, findings and cost."""
    from flows.commands.describe import show_contract, show_description
    from schemas.errors import InputError

    def work() -> None:
        if contract:
            return show_contract()
        if path is None:
            raise InputError(
                "no description is named",
                found="no path",
                allowed="a folder with describe.py and parameters.json, or the Python file",
                fix="docs/guide/describe.md begins with an example; --contract prints the vocabulary",
            )
        show_description(
            path,
            parameters,
            materials,
            outputs.resolve(),
            as_json=as_json,
            probe=probe,
            meep_python=meep_python,
            paper=paper,
        )

    guarded(work)


def solve(
    context: typer.Context,
    path: Annotated[
        Path,
        typer.Argument(
            help="A folder with describe.py and parameters.json, or the Python file; or the package of a run, all of it."
        ),
    ],
    parameters: Parameters = None,
    materials: Materials = None,
    coarse: Annotated[
        bool, typer.Option("--coarse", help="One grid, nothing varied: a quick look, no evidence.")
    ] = False,
    wanted: Annotated[
        float,
        typer.Option(
            help="Relative uncertainty to reach; grids are refined until it is met. In a package, unless given: what its run asked for."
        ),
    ] = 0.005,
    cpu: Annotated[
        float,
        typer.Option(
            help="CPU seconds for everything; what is finished when they end is kept. In a package, unless given: its run's."
        ),
    ] = 1800,
    examine: Annotated[bool, typer.Option(help="Also try witnesses and sensitivities.")] = True,
    solver: Annotated[
        str,
        typer.Option(
            "--with",
            help="meep; without Meep fmm (unit cells, Fourier modal method) or fem (2D devices and scatterers, finite elements); both: "
            "Meep and beside it the one that solves the scene.",
        ),
    ] = "meep",
    force: Annotated[
        bool, typer.Option("--force", help="Simulate even what inspection says cannot be right.")
    ] = False,
    allow_degraded_sandbox: Annotated[
        bool,
        typer.Option(
            "--allow-degraded-sandbox", help="Run with resource limits only, where bubblewrap is missing."
        ),
    ] = False,
    meep_python: MeepPython = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Simulate a description: values with the parts of their uncertainty, theory beside them, what each doubt is worth.

    Results go to OUTPUTS/studies/NAME: study.json and a CSV for each curve (base units: um, c/um, radian). Runs are kept
    by their own digest: a changed quantity or parameter simulates only what changed, and Ctrl-C loses nothing finished.

    Of a run's package (`reprolab report RUN --package`) or a stage's folder in it, the values stand beside the package's; exit
    code 1 if they are not the same.
    """
    from flows.commands.describe import run_study

    def work() -> None:
        again = run_study(
            path,
            parameters,
            materials,
            outputs.resolve(),
            coarse=coarse,
            wanted=_given(context, "wanted", wanted),
            cpu_s=_given(context, "cpu", cpu),
            examine=examine,
            meep_python=meep_python,
            allow_degraded=allow_degraded_sandbox,
            force=force,
            solver=solver,
        )
        if not again:
            raise typer.Exit(1)

    guarded(work)


def _given(context: typer.Context, name: str, value: float) -> float | None:
    """An option's value where somebody gave it; None for its default, which a package's own demands stand before."""
    source = context.get_parameter_source(name)
    return None if source is None or source.name == "DEFAULT" else value


describe.__doc__ = (describe.__doc__ or "") + _FORM


def digitise(
    file: Annotated[Path, typer.Argument(help="A PDF, or a picture (PNG or JPEG).")],
    page: Annotated[int, typer.Option(min=1, help="The page.")] = 1,
    figure: Annotated[
        str, typer.Option(help="Only the figure whose caption has this number, for example 3 or S2.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="The folder to make; must not exist. Default: the file's name.")
    ] = None,
    take: Annotated[
        Path | None, typer.Option(help="What you saved on mend.html: its curves become the numbers.")
    ] = None,
) -> None:
    """Read curves off figures: a CSV with errors for each, what was found and refused, an overlay, a page to mend them on.

    What is not certain is refused with its reason. Look at overlay.png before you use a number; mend.html in a browser mends it.
    """
    from flows.commands.digitising import digitise_page, take_page

    guarded(
        lambda: take_page(file, page, figure, out, take) if take else digitise_page(file, page, figure, out)
    )


@papers_app.callback()
def papers(context: typer.Context) -> None:
    """List the bundled papers (without a subcommand)."""
    if context.invoked_subcommand is None:
        from flows.commands.papers import list_papers

        guarded(list_papers)


@papers_app.command("check")
def papers_check(
    path: Annotated[
        str,
        typer.Argument(
            help="A folder with paper.json and paper.md, or a JSON file; in ReproLab's own form or the specification's."
        ),
    ],
) -> None:
    """Say how a paper of your own was understood, what is missing in it, and how to mend it."""
    from flows.commands.papers import check_papers

    guarded(lambda: check_papers(path))


@papers_app.command("assess")
def papers_assess(
    paper: Annotated[
        str, typer.Argument(help="A bundled paper's id, a folder, or a PDF (imported below --outputs).")
    ],
    outputs: Annotated[
        Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
    ] = Path("outputs"),
) -> None:
    """Say what a paper offers to compare and to compute with, before anything is paid for: by code, without any agent.

    Of each figure whether there are numbers, which quantities of the vocabulary its words call for, and what is out of reach; the
    numbers found and the numbers put in, each with its words; sizes; what calls of a model would cost.
    """
    from flows.commands.papers import assess_paper

    guarded(lambda: assess_paper(paper, outputs.resolve()))


@papers_app.command("new")
def papers_new(folder: Annotated[Path, typer.Argument(help="The folder to make; must not exist.")]) -> None:
    """Make a folder with a paper.json and paper.md to fill in."""
    from flows.commands.papers import new_paper

    guarded(lambda: new_paper(folder))


@papers_app.command("figures")
def papers_figures(
    folder: Annotated[
        Path, typer.Argument(help="A paper's folder; drawn figures are read from its paper.pdf.")
    ],
    figure: Annotated[str, typer.Option(help="Only this figure, for example fig3.")] = "",
    take: Annotated[
        Path | None,
        typer.Option(
            help="What you saved on a figure's mend.html, or its proposal.json as it is: goes into data/ and paper.json."
        ),
    ] = None,
) -> None:
    """Read the figures' curves into read/ of the folder, for you to look at; with --take, make numbers of what you saw.

    Nothing becomes data of the paper before you took it.
    """
    from flows.commands.digitising import read_folder, take_into

    guarded(lambda: take_into(folder, take) if take else read_folder(folder, figure))


@papers_app.command("import")
def papers_import(
    file: Annotated[Path, typer.Argument(help="A Markdown file, or a PDF.")],
    to: Annotated[
        Path | None, typer.Option(help="The folder to make; must not exist. Default: the file's name.")
    ] = None,
    supplement: Annotated[Path | None, typer.Option(help="The supplement, a Markdown or PDF file.")] = None,
    pages: Annotated[str, typer.Option(help="Pages of a PDF, for example 1-6,9. Default: all.")] = "",
    remote: Annotated[
        bool, typer.Option("--remote", help="Fetch pictures that Markdown links from the network.")
    ] = False,
    paper_id: Annotated[str, typer.Option("--id", help="The paper's id; the folder's name otherwise.")] = "",
    title: Annotated[str, typer.Option(help="The title, where the guess is wrong.")] = "",
    citation: Annotated[str, typer.Option(help="The full reference, where the guess is wrong.")] = "",
    domain: Annotated[str, typer.Option(help="For example plasmonics; photonics otherwise.")] = "",
) -> None:
    """Make a paper's folder from a Markdown file or a PDF: text, figures with captions and pictures, title, citation.

    What was guessed or left out is printed and kept in CHECK_BY_EYE.md. Files and links of the paper are taken only from
    below the file's own folder.
    """
    from flows.commands.papers import make_from_file

    guarded(
        lambda: make_from_file(
            file,
            to,
            paper_id=paper_id,
            title=title,
            citation=citation,
            domain=domain,
            supplement=supplement,
            remote=remote,
            pages=pages,
        )
    )


@transcript_app.command("show")
def transcript_show(
    run: Annotated[
        str, typer.Argument(help="A run's id, the beginning of one, `latest`, or a transcript file.")
    ] = "latest",
    agent: Annotated[str | None, typer.Option(help="Only this agent.")] = None,
    stage: Annotated[str | None, typer.Option(help="Only this stage.")] = None,
    full: Annotated[bool, typer.Option("--full", help="With requests and answers in full.")] = False,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Print a transcript for reading: a block for each call, experiment and question, then the sums."""
    from flows.commands.transcripts import show_transcript

    guarded(lambda: show_transcript(outputs.resolve(), run, agent=agent, stage=stage, full=full))


@transcript_app.command("check")
def transcript_check(file: Annotated[Path, typer.Argument(help="A transcript.jsonl.")]) -> None:
    """Check a transcript: every line valid, every answer fits its schema, nothing missing, no key or password in it."""
    from flows.commands.transcript_check import check_transcript

    guarded(lambda: check_transcript(file))


@prompts_app.command("list")
def prompts_list() -> None:
    """List the prompts with version, digest and sections."""
    from flows.commands.prompts import list_prompts

    guarded(list_prompts)


@prompts_app.command("show")
def prompts_show(
    agent: Annotated[str, typer.Argument(help="An agent, or any prompt of `reprolab prompts list`.")],
    paper: Annotated[
        str | None, typer.Option(help="As adapted to this paper, by its recorded transcript.")
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="As adapted in this run: an id, the beginning of one, or `latest`.")
    ] = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Print the prompt an agent is given. With --paper or --run, what adaptations added is marked + and what they took
    out is marked -."""
    from flows.commands.prompts import show_prompt

    guarded(lambda: show_prompt(outputs.resolve(), agent, paper=paper, run=run))
