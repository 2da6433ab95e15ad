"""`reprolab up` and `reprolab down`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.terminal.expected_errors import ends_by_signal, guarded
from schemas.errors import InputError

people_app = typer.Typer(
    no_args_is_help=False, help="Who may come in to `reprolab up`: names, roles, passwords of their own."
)
Outputs = Annotated[
    Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
]


def up(
    outputs: Outputs = Path("outputs"),
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the page and the API; 0 for any free one.")
    ] = 4200,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen at: this computer's own browsers only, or 0.0.0.0 for others "
            "as well (docs/guide/deployment.md first)."
        ),
    ] = "127.0.0.1",
    address: Annotated[
        str,
        typer.Option(
            help="Address that browsers use where it is another, such as a proxy's "
            "https://reprolab.lab.example."
        ),
    ] = "",
    runs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Runs at once. Default: half the cores at the first start, then as it stands on the page.",
        ),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Simulations at once, of all runs together. Default: the cores "
            "at the first start, then as it stands on the page.",
        ),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            envvar="REPROLAB_DATABASE",
            show_default=False,
            help="PostgreSQL instead of SQLite: "
            "postgresql+asyncpg://USER:PASSWORD@HOST/NAME. With a password, use the variable: "
            "others see what is typed.",
        ),
    ] = "",
    notify: Annotated[
        list[str] | None,
        typer.Option(
            envvar="REPROLAB_NOTIFY",
            metavar="KIND=URL",
            show_default=False,
            help="Tell people of questions, bad ends and drift: webhook=https://... or "
            "email=mailtos://USER:PASSWORD@HOST?from=...&to=...; `none` ends it. Kept on the server. With a secret, use the "
            "variable.",
        ),
    ] = None,
    lost_after: Annotated[
        int | None,
        typer.Option(
            min=40, metavar="SECONDS", help="A run without heartbeat for so long has crashed. Default: 300."
        ),
    ] = None,
    no_worker: Annotated[
        bool,
        typer.Option("--no-worker", help="The server alone, without a worker here: other computers work."),
    ] = False,
    simulate_pool: Annotated[
        bool,
        typer.Option(
            "--simulate-pool",
            help="A second worker, for the pool reprolab-simulate, "
            "where runs with the setting simulate_with send their simulations.",
        ),
    ] = False,
    adopt: Annotated[
        bool,
        typer.Option(
            "--adopt",
            help="Use the server's data in a folder that was moved or restored: only "
            "where you know whose it is, it can hold commands.",
        ),
    ] = False,
) -> None:
    """Start Prefect's page, API, all deployments and a worker on this computer, and stay until Ctrl-C.

    Runs are started from a form, questions answered in the browser, others told by automations. The page has a password,
    kept with everything else below the outputs folder, so that the next `up` goes on where this one ended.
    """
    from flows.results import site_server
    from flows.up.notifying import targets
    from flows.up.running import Options
    from flows.up.running import up as start
    from flows.up.setting_up import Wanted

    def work() -> None:
        ends_by_signal()
        options = Options(
            host=host,
            port=port,
            address=address,
            database=database_of(database),
            limits=Wanted(runs, simulations),
            notify=targets(list(notify or [])),
            lost_after_s=lost_after,
            worker=not no_worker,
            simulate_pool=simulate_pool,
            adopt=adopt,
            program=Path(site_server.__file__),
        )
        start(outputs.resolve(), options, lambda text: typer.echo(text, err=True))

    guarded(work)


def down(outputs: Outputs = Path("outputs")) -> None:
    """End the `up` of an outputs folder, as Ctrl-C there would."""
    from flows.up.place import Place
    from flows.up.running import down as end

    def work() -> None:
        ended = end(Place(outputs.resolve()))
        typer.echo("it has ended; everything is kept" if ended else f"nobody is up at {outputs}", err=True)

    guarded(work)


@people_app.callback(invoke_without_command=True)
def people(context: typer.Context, outputs: Outputs = Path("outputs")) -> None:
    """List who may come in to `reprolab up` beside its own password, and what each role may."""
    if context.invoked_subcommand:
        return
    from flows.up.letting_in import listed

    guarded(lambda: typer.echo(listed(outputs.resolve())))


@people_app.command("add")
def people_add(
    name: Annotated[str, typer.Argument(help="Small letters, digits, dashes.")],
    role: Annotated[
        str, typer.Option(help="look, answer, start or administer; each may what those before it may.")
    ] = "look",
    outputs: Outputs = Path("outputs"),
) -> None:
    """Let a person in, with a role and a password of their own, or give one another role and password. It is printed once."""
    from flows.up.letting_in import let_in

    guarded(lambda: typer.echo(let_in(outputs.resolve(), name, role)))


@people_app.command("remove")
def people_remove(
    name: Annotated[str, typer.Argument(help="A name that `reprolab people` lists.")],
    outputs: Outputs = Path("outputs"),
) -> None:
    """Take a person out again, at once."""
    from flows.up.letting_in import put_out

    guarded(lambda: typer.echo(put_out(outputs.resolve(), name)))


def database_of(given: str) -> str:
    """The URL as SQLAlchemy takes it; empty for SQLite. Raises InputError, which does not repeat it."""
    if not given:
        return ""
    scheme, parted, rest = given.partition("://")
    if scheme not in ("postgresql", "postgres", "postgresql+asyncpg") or not parted or not rest:
        raise InputError(
            "--database takes no such address",
            found=f"{scheme[:30]}://..." if parted else "no ://",
            allowed="postgresql+asyncpg://USER:PASSWORD@HOST:5432/NAME, or nothing for SQLite",
        )
    return f"postgresql+asyncpg://{rest}"
