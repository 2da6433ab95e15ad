"""The life of `reprolab up`: started, watched, ended. Whatever ends it, server and worker end with it."""

from __future__ import annotations

import errno
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agents.models.address import without_credentials
from flows.serving import server_app
from flows.serving.runtime import refuse_settings_of_a_folder
from flows.terminal.expected_errors import Terminated
from flows.up import automations, guard, notifying
from flows.up.api import Api
from flows.up.cancelling import note_those_cancelled, tell_their_pages
from flows.up.children import SIMULATE_POOL, Guard, Kept, Server
from flows.up.logs import Log
from flows.up.lost import mark_lost
from flows.up.place import (
    Place,
    on_computer,
    only_one,
    open_place,
    password_of,
    who_is_up,
    whole,
    write_record,
)
from flows.up.setting_up import Wanted, deploy, set_limits, what_is_deployed
from schemas.base import digest
from schemas.errors import InputError, PrerequisiteError
from schemas.run.pasted import typed

START_S = 180.0
LOST_AFTER_S = 300  # as in deploy/automations/lost-worker.yaml
CANCELLED_EVERY_S = 5.0
_LOOPBACK = ("127.0.0.1", "localhost")
_ENDED = ("COMPLETED", "FAILED", "CANCELLED")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What a person asked for. database: a URL that SQLAlchemy takes, or empty. worker: whether runs are worked on here as well.
    program: the file that is run as the server."""

    host: str = "127.0.0.1"
    port: int = 4200
    address: str = ""
    database: str = ""
    limits: Wanted = Wanted()
    notify: dict[str, str] | None = None
    lost_after_s: int | None = None
    worker: bool = True
    simulate_pool: bool = False
    adopt: bool = False
    program: Path = Path(server_app.__file__)


def origins_of(host: str, port: int, address: str = "") -> tuple[str, ...]:
    """Addresses under which pages of this server are opened, the one to print first; others are refused."""
    names = [host] if host not in ("0.0.0.0", "127.0.0.1", "localhost") else []
    if host == "0.0.0.0":
        names += [socket.gethostname(), socket.getfqdn()]
    found = [address.rstrip("/")] if address else []
    found += [f"http://{name}:{port}" for name in (*names, "127.0.0.1", "localhost")]
    return tuple(dict.fromkeys(found))


def link_of(origin: str, password: str) -> str:
    """The page, signed in: what follows # stays in the browser."""
    return f"{origin}{server_app.ENTRANCE}#{password}"


def command_again(options: Options, outputs: Path) -> str:
    """The command that starts the same again; its database has a password, which is never printed."""
    given = [
        ("--host", options.host, "127.0.0.1"),
        ("--port", options.port, 4200),
        ("--address", options.address, ""),
    ]
    given += [("--lost-after", options.lost_after_s, None)]
    words = [word for name, value, usual in given if value != usual for word in (name, str(value))]
    words += [] if options.worker else ["--no-worker"]
    words += ["--simulate-pool"] if options.simulate_pool else []
    with_it = " (REPROLAB_DATABASE set as for this one)" if options.database else ""
    return typed("up", *words, outputs=outputs) + with_it


def up(outputs: Path, options: Options, say: Say) -> None:
    """Start all, say where it is, and stay until Ctrl-C or SIGTERM. Raises InputError, PrerequisiteError."""
    refuse_settings_of_a_folder(Path.cwd())
    what_is_deployed()
    place = open_place(outputs, adopt=options.adopt)
    with only_one(place, patience_s=1) as last:
        if last is None:
            found = who_is_up(place) or {}
            say(
                f"already up at {link_of(found.get('address', '?'), password_of(place))} (process {found.get('pid', '?')}"
                f"{on_computer(found)}); {typed('down', outputs=place.outputs)} ends it"
            )
            return
        with _bound(options.host, options.port) as listening:
            server = Server(
                place,
                password_of(place),
                listening,
                database=options.database,
                origins=origins_of(options.host, listening.getsockname()[1], options.address),
                program=options.program,
            )
            _live(server, options, last, say)


def _live(server: Server, options: Options, last: dict[str, Any], say: Say) -> None:
    place, api, guarding = server.place, Api(server.api, server.password), Guard()
    logs = [Log(place.logs / name) for name in ("server.log", "worker.log", "deploy.log", "simulate.log")]
    serving = Kept("server", server.start, logs[0], guarding)
    working = [Kept("worker", server.start_worker, logs[1], guarding)] if options.worker else []
    again = command_again(options, place.outputs)
    if options.simulate_pool:
        working.append(
            Kept(
                "worker for simulations", partial(server.start_worker, pool=SIMULATE_POOL), logs[3], guarding
            )
        )
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # also where a shell started us in the background
    try:
        database = without_credentials(options.database)
        if last.get("database", database) != database:
            say(
                f"note: the last start used another database ({last['database'] or 'SQLite'}); its runs are not shown here"
            )
        record = {
            "pid": os.getpid(),
            "computer": socket.gethostname(),
            "address": server.origins[0],
            "database": database,
            "api": server.api,
            "alone": options.host in _LOOPBACK,
        }
        write_record(place, record | {"deployed": last.get("deployed")})
        say("starting Prefect's server")
        serving.look()
        _wait(api, serving, server)
        runs, simulations = set_limits(api, options.limits)
        for worker in working:
            worker.look()
        kinds = notifying.keep(api, options.notify)
        on = automations.apply(api, list(kinds.values()), options.lost_after_s)
        wanted = digest([what_is_deployed(), database])
        if last.get("deployed") != wanted or api.get("/deployments/name/reproduce/reproduce") is None:
            say("deploying the flows")
            deploy(api, server, logs[2])
        write_record(place, record | {"deployed": wanted})
        say(_welcome(server, runs, simulations, kinds, on, again, _who_works(options)))
        ready, looked, cancelled_looked, told = datetime.now(UTC), False, 0.0, set[str]()
        while True:
            if not looked and (datetime.now(UTC) - ready).total_seconds() > (
                options.lost_after_s or LOST_AFTER_S
            ):
                looked = True
                with suppress(PrerequisiteError):  # the server is away at this moment
                    if lost := mark_lost(api, ready, place.outputs):
                        say(
                            f"crashed, without heartbeat since the start: {', '.join(lost)}; Retry continues them"
                        )
            if time.monotonic() > cancelled_looked + CANCELLED_EVERY_S:
                cancelled_looked = time.monotonic()
                for run_id in note_those_cancelled(api, place.outputs):
                    say(
                        f"cancelled: {run_id}; {typed('resume', run_id, outputs=place.outputs)} takes it up again"
                    )
                tell_their_pages(api, place.outputs, told)
            for child in (serving, *working):
                if child.look():
                    say(f"the {child.kind} had ended; it is started again ({child.log.path})")
            time.sleep(1)
    except (KeyboardInterrupt, Terminated):
        say("stopping (once more ends it at once)")
    finally:
        _end(api, serving, working, again, say)
        guarding.dismiss()
        for log in logs:
            log.close()


def _wait(api: Api, serving: Kept, server: Server) -> None:
    end = time.monotonic() + START_S
    while not api.healthy():
        over = serving.process is not None and serving.process.poll() is not None
        if over or time.monotonic() > end:
            said = serving.log.tail()[-600:]
            secret = urlsplit(server.database).password
            why = "ended at its start" if over else f"did not answer in {START_S:.0f} s"
            raise PrerequisiteError(
                f"Prefect's server {why}",
                found=(said.replace(secret, "***") if secret else said) or "it printed nothing",
                fix=f"its log: {serving.log.path}",
            )
        time.sleep(0.1)


def _end(api: Api, serving: Kept, working: list[Kept], again: str, say: Say) -> None:
    """End worker, then server. Runs that were at work go on with the next `up`: they are scheduled again."""
    met: set[str] = set()
    for worker in working:
        if worker.process is not None:
            met |= set(guard.end_worker(worker.process.pid))
            worker.process.wait()
    if met:
        waiting = [number for number in met if _scheduled_again(api, number, again)]
        say(
            f"runs that were at work: {len(met)}; nothing finished is lost. "
            f"{again} continues by itself: {len(waiting)}"
        )
    if serving.process is not None:
        guard.end_server(serving.process.pid)
        serving.process.wait()
    say("server and worker have ended; everything is kept")


def _scheduled_again(api: Api, flow_run: str, again: str) -> bool:
    try:
        found = api.get(f"/flow_runs/{flow_run}")["state"]
        state = found["type"]
        if (
            state in _ENDED or found["name"] == "Suspended"
        ):  # one that is Paused had its question open in its process
            return False
        wanted = (
            {"type": "CANCELLED"}
            if state == "CANCELLING"
            else {
                "type": "SCHEDULED",
                "name": "AwaitingRetry",
                "message": f"`up` was stopped; {again} continues this run",
            }
        )
        api.post(f"/flow_runs/{flow_run}/set_state", {"state": wanted, "force": True})
        return bool(state != "CANCELLING")
    except (PrerequisiteError, TypeError):
        return False


@contextmanager
def _bound(host: str, port: int) -> Iterator[socket.socket]:
    """The port, bound here and handed to the server: nobody can take its place, also while it is started again."""
    try:
        listening = socket.create_server((host, port), backlog=512)
    except OSError as error:
        found = f"{error.strerror or error} ({host}:{port})"
        fix = (
            f"another port: {typed('up', '--port', str(port + 1))}; or end what uses it (`ss -ltnp` lists the processes)"
            if error.errno == errno.EADDRINUSE
            else "--host takes an address or name of this computer, or 0.0.0.0 for all"
        )
        raise InputError("the address cannot be listened at", found=found, fix=fix) from None
    with listening:
        yield listening


def _who_works(options: Options) -> str:
    others = "workers on other computers join as docs/guide/deployment.md says, Several computers"
    if options.worker:
        return "this computer" if options.host in _LOOPBACK else f"this computer; {others}"
    return f"nobody yet (--no-worker); {others}"


def _welcome(
    server: Server,
    runs: int | None,
    simulations: int | None,
    kinds: dict[str, str],
    on: list[str],
    again: str,
    works: str,
) -> str:
    told = f"told: {', '.join(kinds)}" if kinds else "nobody is told of questions and ends (--notify)"
    return f"""
ReproLab is up: {link_of(server.origins[0], server.password)}
  (the link signs the browser in; keep it to yourself. Without it the page asks for {whole("PASSWORD")}, kept in
  {server.place.home}/password)

  start a run      Deployments, reproduce, Run, Custom run
  answer           a run that waits is Paused or Suspended: open it, Resume
  works            {works}
  at once          {runs or "any number of"} runs, {simulations or "any number of"} simulations in all (--runs, --simulations)
  automations      {"; ".join(on) or "none"}; {told}
  results          {server.origins[0]}{server_app.ENTRANCE}/, files in {server.place.outputs}
  logs             {server.place.logs}
  stop             Ctrl-C, or {typed("down", outputs=server.place.outputs)}; everything is kept
  go on            {again}
"""


def down(place: Place) -> bool:
    """End the `up` of this place as Ctrl-C would; False where there is none.

    Raises PrerequisiteError if it does not end, InputError if it is up on another computer: its number is another process's here.
    """
    found = who_is_up(place)
    if found is None:
        return False
    if elsewhere := on_computer(found):
        raise InputError(
            "it is up on another computer, over the same folder",
            found=f"process {found['pid']}{elsewhere}",
            allowed=f"the computer that it runs on; this one is {socket.gethostname()}",
            fix=f"there: {typed('down', outputs=place.outputs)}",
        )
    os.kill(int(found["pid"]), signal.SIGTERM)
    end = time.monotonic() + guard.RUNS_S + guard.WORKER_S + guard.SERVER_S + 10
    while who_is_up(place) is not None:
        if time.monotonic() > end:
            raise PrerequisiteError(
                "it did not end in time",
                found=f"process {found['pid']}",
                fix=f"kill -9 {found['pid']}: server and worker end with it",
            )
        time.sleep(0.2)
    return True
