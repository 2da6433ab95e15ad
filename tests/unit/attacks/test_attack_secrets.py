"""A key goes where its keeper said, and nothing that a server says brings it into an error, an answer or a file."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import traceback
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agents.models import FatalModelError, InvalidAnswer, TransientModelError
from agents.models.access import Access
from agents.models.messages.messages_api import MessagesModel
from agents.models.messages.messages_client import HIDDEN
from blocks import ModelEndpoint
from flows.calls.endpoint import access, check_address, without_secrets
from flows.reproduce.resources import with_blocks
from schemas.errors import InputError, PrerequisiteError
from schemas.reproduce.settings import RunSettings
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from tasks.files.store import private_folder
from tests.messages_server import MessagesServer
from tests.messages_server.examples import REVIEW, a_request

pytestmark = pytest.mark.unit
KEY, TOKEN, PASSWORD, GATEWAY = (
    "sk-ant-house-0123456789",
    "token-of-the-house",
    'hun"ter2@home',
    "gateway-secret-77",
)
SECRETS = (KEY, TOKEN, PASSWORD, GATEWAY, "hunter2")


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of a process that has a key."""
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "REPROLAB_", "PREFECT__"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


class Echo:
    """A hostile server: `status`, `headers` and `body` as told; `seen` holds every request with all its headers."""

    def __init__(self) -> None:
        self.status, self.headers, self.body = 500, dict[str, str](), ""
        self.seen: list[str] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                owner.seen.append(f"{self.path}\n{self.headers}")
                self.rfile.read(int(self.headers.get("content-length", "0")))
                self.send_response(owner.status)
                for name, value in {"content-type": "application/json", **owner.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(owner.body.encode())

            do_GET = do_POST

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.http.server_port)


@pytest.fixture
def evil() -> Iterator[Echo]:
    found = Echo()
    yield found
    found.http.shutdown()
    found.http.server_close()


def failure(given: Access) -> BaseException:
    model = MessagesModel(ModelSettings(kind="anthropic", timeout_s=10), max_tries=1, access=given)
    with pytest.raises((TransientModelError, FatalModelError, InvalidAnswer)) as caught:
        model.answer(a_request(), ReviewAnswer)
    return caught.value


def clean(error: BaseException) -> str:
    """The error as every log could show it, with causes; fails if it holds a secret."""
    said = "".join(traceback.format_exception(error)) + repr(error.__reduce__())
    assert not [secret for secret in SECRETS if secret in said], said
    return said


@pytest.mark.attack("secrets", "not followed: the key never arrives")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_redirect_to_another_server(evil: Echo, status: int, host: str) -> None:
    thief = Echo()
    evil.status, evil.headers = status, {"location": f"http://{host}:{thief.port}/v1/messages?{KEY}"}
    error = failure(Access(f"http://127.0.0.1:{evil.port}"))
    assert isinstance(error, FatalModelError) and "sends on to another address" in clean(error)
    model = MessagesModel(ModelSettings(kind="anthropic"), access=Access(f"http://127.0.0.1:{evil.port}"))
    assert model.count_tokens(a_request()) is None
    assert len(evil.seen) == 2 and KEY in evil.seen[0] and thief.seen == []
    thief.http.shutdown()
    thief.http.server_close()


@pytest.mark.attack("secrets", "taken out of the error, its causes and its copies")
@pytest.mark.parametrize("where", ["message", "type", "cut", "page", "content type", "escaped"])
@pytest.mark.parametrize("status", [200, 401, 429, 500])
def test_a_server_repeats_what_it_was_sent(evil: Echo, where: str, status: int) -> None:
    echo = f"you sent {KEY}"
    message = "x" * 490 + KEY if where == "cut" else echo
    evil.status = status
    evil.body = json.dumps(
        {"type": "error", "error": {"type": echo if where == "type" else "api_error", "message": message}}
    )
    if where == "escaped":
        evil.body = evil.body.replace("sk-ant", "sk\\u002dant")
    if where == "page":
        evil.body = f"<html>{echo}</html>"
    if where == "content type" or status == 200:
        evil.headers = {"content-type": f"text/plain; {echo}"}
    said = clean(failure(Access(f"http://127.0.0.1:{evil.port}")))
    assert "sk-ant" not in said  # nor the first characters of a key that was cut


@pytest.mark.attack("secrets", "taken out of the error")
def test_an_address_with_password_and_query(evil: Echo) -> None:
    evil.status, evil.body = 401, json.dumps({"error": {"type": "e", "message": f"no {PASSWORD} {GATEWAY}"}})
    error = failure(Access(f"http://me:hun%22ter2%40home@127.0.0.1:{evil.port}/gw?token={GATEWAY}#x", None))
    assert "/gw" in clean(error)
    sent = evil.seen[0]
    assert f"/gw/v1/messages?token={GATEWAY}" in sent and "uthorization: Basic" in sent and KEY not in sent


@pytest.mark.attack("secrets", "in no record of a logger, whatever the level")
def test_loggers_that_record_everything(evil: Echo, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(1)
    caplog.set_level(1, "anthropic")
    caplog.set_level(1, "httpx2")
    failure(Access(f"http://me:hun%22ter2%40home@127.0.0.1:{evil.port}/gw?token={GATEWAY}"))
    assert GATEWAY in evil.seen[0] and not [secret for secret in SECRETS if secret in caplog.text], (
        caplog.text
    )


@pytest.mark.attack("secrets", "taken out of what is kept of an answer")
@pytest.mark.parametrize("form", [KEY, KEY.replace("-", "\\u002d")])
def test_a_model_repeats_the_key_in_its_answer(form: str) -> None:
    said = json.dumps({**REVIEW, "feedback": "FORM"}).replace("FORM", form)
    with MessagesServer(lambda request: said) as server:
        model = MessagesModel(ModelSettings(kind="anthropic"), access=Access(server.base_url))
        reply = model.answer(a_request(), ReviewAnswer)
    assert KEY not in reply.model_dump_json() and reply.answer["feedback"] == HIDDEN


@pytest.mark.attack("secrets", "refused without a word of it")
@pytest.mark.parametrize(
    "key", ["sk-ant-two\nsk-ant-lines", "sk-ant-\x00nul", "sk-ant-\u00fcmlaut", "sk-ant-\x1b[2J"]
)
def test_a_key_that_no_header_can_hold(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setattr("os.environ", {**os.environ, "ANTHROPIC_API_KEY": key})
    with pytest.raises(FatalModelError, match="cannot be one") as caught:
        MessagesModel(ModelSettings(kind="anthropic"))
    assert "sk-ant" not in clean(caught.value)


@pytest.mark.attack("secrets", "refused without a word of it")
@pytest.mark.parametrize(
    "address", ["http://me:{p}@[::1", "ftp://me:{p}@host", "http://me:{p}@:80", "http://me:{p}@host:port"]
)
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(FatalModelError, match="no usable URL") as caught:
        MessagesModel(ModelSettings(kind="anthropic", base_url=address.replace("{p}", GATEWAY)))
    clean(caught.value)


def endpoint(**fields: Any) -> ModelEndpoint:
    return ModelEndpoint(**fields)


@pytest.mark.attack("secrets", "asked without any secret of the worker")
@pytest.mark.parametrize("outside", [True, False])
def test_a_block_with_an_address_of_its_own(
    monkeypatch: pytest.MonkeyPatch, evil: Echo, outside: bool
) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", TOKEN)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"x-gateway: {GATEWAY}\nx-other: {PASSWORD}")
    if outside:
        monkeypatch.setenv("PREFECT__FLOW_RUN_ID", "1")
    failure(access(ModelSettings(kind="anthropic"), endpoint(base_url=f"http://127.0.0.1:{evil.port}")))
    assert evil.seen and not [secret for secret in SECRETS if secret in evil.seen[0]], evil.seen
    monkeypatch.setenv(
        "REPROLAB_ALLOW_MODELS", f"http://127.0.0.1:{evil.port}/"
    )  # the keeper trusts it: now it is sent
    failure(access(ModelSettings(kind="anthropic"), endpoint(base_url=f"http://127.0.0.1:{evil.port}")))
    assert KEY in evil.seen[1] and GATEWAY in evil.seen[1]


@pytest.mark.attack("secrets", "refused; only pairs that the worker's environment names")
@pytest.mark.parametrize(
    "fields",
    [
        {"base_url": "https://evil.test", "key_variable": "ANTHROPIC_API_KEY"},
        {"base_url": "https://evil.test", "key_variable": "AWS_SECRET_ACCESS_KEY"},
        {"base_url": "https://lab.test", "key_variable": "ANTHROPIC_API_KEY"},
        {"base_url": "https://lab.test", "key_variable": "AWS_SECRET_ACCESS_KEY"},
        {"base_url": "https://lab.test.evil.test", "key_variable": "LAB_KEY"},
        {"base_url": "https://lab.test@evil.test", "key_variable": "LAB_KEY"},
        {"key_variable": "LAB_KEY"},
        {"key_variable": "AWS_SECRET_ACCESS_KEY"},
        {"key_variable": KEY},
        {"base_url": "https://me:hunter2@lab.test"},
    ],
    ids=lambda fields: (
        " ".join(str(value) for value in fields.values()).replace(KEY, "a key").replace("hunter2", "...")
    ),
)
def test_a_block_that_names_a_key_for_another_address(
    monkeypatch: pytest.MonkeyPatch, fields: dict[str, str]
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", GATEWAY)
    monkeypatch.setenv("LAB_KEY", TOKEN)
    monkeypatch.setenv("REPROLAB_ALLOW_MODELS", "LAB_KEY=https://lab.test https://api.test")
    with pytest.raises(InputError) as caught:
        access(ModelSettings(kind="anthropic"), endpoint(**fields))
    clean(caught.value)


def test_what_a_block_may_name(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ModelSettings(kind="anthropic")
    monkeypatch.setenv(
        "REPROLAB_ALLOW_MODELS", "LAB_KEY=https://me:hunter2@lab.test/gw TEAM=https://api.anthropic.com"
    )
    assert access(model, endpoint(model_name="tiny")) == Access()
    whole = Access("https://me:hunter2@lab.test/gw", "LAB_KEY")
    assert access(model, endpoint(base_url="https://lab.test/gw")) == whole
    assert access(model, endpoint(base_url="https://lab.test/gw", key_variable="LAB_KEY")) == whole
    assert access(model, endpoint(key_variable="TEAM")) == Access("https://api.anthropic.com", "TEAM")
    assert "hunter2" not in repr(whole)
    monkeypatch.setenv("PREFECT__FLOW_RUN_ID", "1")
    assert access(ModelSettings(base_url="https://lab.test/gw")) == whole


@pytest.mark.attack("secrets", "refused: a parameter holds no password, and none is repeated")
@pytest.mark.parametrize(
    "address",
    [
        "https://me:hunter2@api.test",
        "https://lab.test?token=gateway-secret-77",
        "https://me:hunter2@lab.test/gw",
    ],
)
def test_a_parameter_with_a_password(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("PREFECT__FLOW_RUN_ID", "1")
    monkeypatch.setenv("REPROLAB_ALLOW_MODELS", "https://api.test https://me:hunter2@lab.test/gw")
    with pytest.raises(InputError) as caught:
        check_address(ModelSettings(kind="anthropic", base_url=address))
    assert "https://lab.test/gw" in clean(caught.value)


@pytest.mark.attack("secrets", "refused")
def test_a_block_beside_an_address_in_the_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="twice"):
        access(ModelSettings(base_url="https://evil.test"), endpoint(key_variable="ANTHROPIC_API_KEY"))


@pytest.mark.attack(
    "secrets", "refused when it is made: Prefect serves a block's secrets to all who reach it"
)
def test_a_block_that_holds_a_key() -> None:
    with pytest.raises(PrerequisiteError, match="holds no key") as caught:
        endpoint(base_url="https://lab.test", api_key=KEY)
    clean(caught.value)


@pytest.mark.attack("secrets", "left in this process: what Prefect stores has none of it")
def test_a_typed_address_is_passed_on_without_its_password() -> None:
    typed = "http://me:hunter2@gateway.test/api?token=gateway-secret-77"
    stored = without_secrets(RunSettings(model=ModelSettings(kind="anthropic", base_url=typed)))
    assert stored.model.base_url == "http://gateway.test/api"
    settings, found = with_blocks(stored)
    assert found == Access(typed) and settings == stored


@pytest.mark.attack("secrets", "not to be listed or entered by another user")
@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to be another user")
def test_another_user_and_a_private_folder() -> None:
    with tempfile.TemporaryDirectory(prefix="reprolab-test-") as made:
        Path(made).chmod(0o755)
        _look_as_another_user(Path(made))


def _look_as_another_user(folder: Path) -> None:
    old = folder / "old"
    old.mkdir(mode=0o755)
    (old / "key").write_text(KEY)
    look = "import os, sys\ntry: print(open(sys.argv[1]).read())\nexcept PermissionError: print('refused')"
    command = [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "/usr/bin/python3",
        "-c",
        look,
        str(old / "key"),
    ]
    if KEY not in subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout:
        pytest.skip("temporary files are closed to others already: TMPDIR")
    private_folder(old)
    assert subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout == "refused\n"
    assert private_folder(folder / "new").stat().st_mode & 0o777 == 0o700
