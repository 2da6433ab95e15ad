"""Cloning: the digest decides, and a hostile archive leaves nothing behind."""

import gzip
import io
import tarfile

import pytest
import typer
from typer.testing import CliRunner

from flows.commands.clone import clone as clone_command
from flows.commands.release import release as release_command
from schemas.errors import InputError
from schemas.explore.bundle import PublishRules, PublishTarget
from tasks.bundle import archive as archive_module
from tasks.bundle.archive import pack
from tasks.bundle.clone import clone
from tasks.explore.bundle.curate import curate
from tasks.explore.bundle.publishing import make_public, publish
from tasks.explore.bundle.publishing.service import Refused
from tests.unit.bundle.bundle_fixture import FILES, fill, serving

pytestmark = pytest.mark.unit


@pytest.fixture
def published(tmp_path):
    curated = curate(
        fill(tmp_path / "ear"), tmp_path / "published", tmp_path / "manifest.lock", PublishRules()
    )
    pack(tmp_path / "published", tmp_path / "bundle.tar.gz")
    return tmp_path, curated.bundle_sha256


@pytest.mark.parametrize("ref", ["published", "bundle.tar.gz", "file"])
def test_clone_of_folder_file_and_address(published, ref):
    root, sha256 = published
    into = root / "new/clone"
    clone(f"file://{root}/bundle.tar.gz" if ref == "file" else str(root / ref), f"sha256:{sha256}", into)
    assert {path: (into / path).read_bytes() for path in FILES} == FILES
    assert (into / "reproduce.sh").stat().st_mode & 0o111 and [
        path.name for path in into.parent.iterdir()
    ] == ["clone"]


def test_another_bundle_is_not_kept(published):
    root, _ = published
    with pytest.raises(InputError, match="another bundle"):
        clone(str(root / "bundle.tar.gz"), "0" * 64, root / "clone")
    assert not (root / "clone").exists() and not list(root.glob(".cloning-*"))


def test_a_digest_is_required_and_a_full_folder_is_not_touched(published):
    root, sha256 = published
    with pytest.raises(InputError, match="by its digest"):
        clone(str(root / "bundle.tar.gz"), "", root / "clone")
    with pytest.raises(InputError, match="in the way"):
        clone(str(root / "bundle.tar.gz"), sha256, root / "ear")
    with pytest.raises(InputError, match="not fetched"):
        clone("ftp://x/bundle.tar.gz", sha256, root / "clone")


def _entry(name, content=b"x", **fields):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, content


HOSTILE = {
    "is a link": _entry("code/x", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
    "is a hard link": _entry("code/x", b"", type=tarfile.LNKTYPE, linkname="README.md"),
    "leaves the folder": _entry("../escaped"),
    "leaves the folder or": _entry("code/../../escaped"),
    "leaves the folder or is no plain": _entry("/tmp/escaped"),
    "is a device": _entry("code/x", b"", type=tarfile.CHRTYPE, devmajor=1, devminor=5),
    "is a pipe": _entry("code/x", b"", type=tarfile.FIFOTYPE),
    "appears twice": _entry("README.md", b"# B kernel\n"),
    "cannot be made": _entry("README.md/x"),
    "files and manifest differ": _entry("code/more.py"),
    "is an entry of another kind": _entry("ä" * 60),
    "is no plain path": _entry("code\\..\\x"),
    "no plain path": _entry("code/\x1b[2J.py"),
}


@pytest.mark.parametrize("said", HOSTILE)
def test_hostile_archive_is_refused_and_leaves_nothing(published, said):
    root, sha256 = published
    raw = io.BytesIO(gzip.decompress((root / "bundle.tar.gz").read_bytes()))
    info, content = HOSTILE[said]
    kind = tarfile.PAX_FORMAT if not info.name.isascii() else tarfile.USTAR_FORMAT
    with tarfile.open(fileobj=raw, mode="a", format=kind) as archive:
        archive.addfile(info, io.BytesIO(content))
    (root / "evil.tar.gz").write_bytes(gzip.compress(raw.getvalue()))
    before = sorted(root.rglob("*"))
    with pytest.raises(InputError, match=f"no bundle.*{said}|no bundle(.|\n)*{said}"):
        clone(str(root / "evil.tar.gz"), sha256, root / "clone")
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize("beside", ["other/x.py", "x.py", "manifest.lock", "one/more.py"])
def test_beside_the_one_folder_of_a_bundle_lies_nothing(published, beside):
    root, sha256 = published
    pack(root / "published", root / "bundle.tar.gz", below="one")
    raw = io.BytesIO(gzip.decompress((root / "bundle.tar.gz").read_bytes()))
    with tarfile.open(fileobj=raw, mode="a", format=tarfile.USTAR_FORMAT) as archive:
        archive.addfile(*((info := _entry(beside, b"{}"))[0], io.BytesIO(info[1])))
    (root / "bundle.tar.gz").write_bytes(gzip.compress(raw.getvalue()))
    with pytest.raises(InputError, match="no bundle"):
        clone(str(root / "bundle.tar.gz"), sha256, root / "clone")
    assert not (root / "clone").exists() and not list(root.glob(".cloning-*"))


@pytest.mark.parametrize("cut", [0.5, 0.99])
def test_damaged_archive_is_refused(published, cut):
    root, sha256 = published
    data = (root / "bundle.tar.gz").read_bytes()
    (root / "cut.tar.gz").write_bytes(data[: int(len(data) * cut)])
    with pytest.raises(InputError, match="no bundle"):
        clone(str(root / "cut.tar.gz"), sha256, root / "clone")


@pytest.mark.parametrize("declared", [True, False])
def test_a_bomb_is_stopped_before_it_unpacks(published, monkeypatch, declared):
    root, sha256 = published
    monkeypatch.setattr(archive_module, "MOST_BYTES", 1 << 20)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for number in range(1 if declared else 40):
            archive.addfile(
                *((info := _entry(f"{number}", bytes((30 if declared else 1) << 16)))[0], io.BytesIO(info[1]))
            )
    (root / "bomb.tar.gz").write_bytes(gzip.compress(raw.getvalue()))
    with pytest.raises(InputError, match="more than a bundle may hold"):
        clone(str(root / "bomb.tar.gz"), sha256, root / "clone")


TARGETS = {"registry": {}, "zenodo": {}, "github": {"repository": "o/r"}}


@pytest.mark.parametrize("backend", TARGETS)
def test_staged_first_public_on_a_word_and_cloned_by_digest(published, monkeypatch, backend):
    root, sha256 = published
    with serving() as server:
        monkeypatch.setenv("TOKEN_OF_MINE", server.token)
        target = PublishTarget(
            backend=backend, url=server.url, token_variable="TOKEN_OF_MINE", **TARGETS[backend]
        )
        record = publish(
            root / "published", root / "bundle.tar.gz", root / "record.json", target, PublishRules(title="T")
        )
        assert record.visibility == "staged" and not server.public and record.bundle_sha256 == sha256
        with pytest.raises(InputError, match="HTTP 404"):
            clone(record.ref, sha256, root / "clone")
        sent = len(server.requests)
        assert (
            publish(root / "published", root / "bundle.tar.gz", root / "record.json", target, PublishRules())
            == record
        )
        assert len(server.requests) == sent  # not sent twice
        public = make_public(root / "record.json")
        assert public.visibility == "public" and (public.doi == "10.5072/zenodo.17") == (backend == "zenodo")
        clone(record.ref, sha256, root / "clone")
        assert (root / "clone/code/kernel.py").read_bytes() == FILES["code/kernel.py"]
        assert [said for method, _, said, _ in server.requests if method == "GET"] == [
            "",
            "",
        ]  # no token to fetch
        body = next(body for method, _, _, body in server.requests if body[:2] == b"\x1f\x8b")
        assert body == (root / "bundle.tar.gz").read_bytes()
    assert server.token not in (root / "record.json").read_text()


@pytest.mark.parametrize("backend", TARGETS)
def test_a_refusal_names_the_service_and_never_the_token(published, monkeypatch, backend):
    root, _ = published
    with serving() as server:
        monkeypatch.setenv("TOKEN_OF_MINE", server.token)
        server.refuse = 403
        target = PublishTarget(
            backend=backend, url=server.url, token_variable="TOKEN_OF_MINE", **TARGETS[backend]
        )
        with pytest.raises(Refused, match="HTTP 403") as caught:
            publish(root / "published", root / "bundle.tar.gz", root / "record.json", target, PublishRules())
    assert server.token not in str(caught.value) and "[token]" in str(caught.value)
    assert not (root / "record.json").exists()


def test_no_token_and_a_token_over_plain_http_are_said_before_anything_is_sent(published, monkeypatch):
    root, _ = published
    where = (root / "published", root / "bundle.tar.gz", root / "record.json")
    monkeypatch.delenv("ZENODO_TOKEN", raising=False)
    with pytest.raises(Exception, match="ZENODO_TOKEN is not set"):
        publish(*where, PublishTarget(backend="zenodo"), PublishRules())
    monkeypatch.setenv("TOKEN_OF_MINE", "s3cret")
    with pytest.raises(InputError, match="plain http"):
        publish(
            *where,
            PublishTarget(backend="registry", url="http://example.org", token_variable="TOKEN_OF_MINE"),
            PublishRules(),
        )
    with pytest.raises(InputError, match="nothing is staged"):
        make_public(root / "record.json")


def test_local_tarball_needs_nothing(published):
    root, sha256 = published
    record = publish(
        root / "published", root / "bundle.tar.gz", root / "record.json", PublishTarget(), PublishRules()
    )
    assert record.ref == str(root / "bundle.tar.gz") and record.visibility == "staged"
    clone(record.ref, sha256, root / "clone")


def test_command_says_what_it_fetched_and_refuses_another_digest(published, monkeypatch):
    root, sha256 = published
    app = typer.Typer()
    app.command()(clone_command)
    app.command("other")(lambda: None)
    monkeypatch.chdir(root)
    done = CliRunner().invoke(app, ["clone", "bundle.tar.gz", "--expect-sha256", sha256])
    assert (
        done.exit_code == 0
        and "as expected" in done.output
        and (root / f"bundle-{sha256[:12]}/reproduce.sh").is_file()
    )
    refused = CliRunner().invoke(
        app, ["clone", "bundle.tar.gz", "--expect-sha256", "1" * 64, "--into", "other"]
    )
    assert refused.exit_code == 2 and not (root / "other").exists()


def test_release_asks_a_person_before_it_makes_public(published, monkeypatch):
    root, _ = published
    (run := root / "outputs/goal/r1").mkdir(parents=True)
    (run / "run.json").write_text('{"workflow": "explore"}')
    app = typer.Typer()
    app.command()(release_command)
    app.command("other")(lambda: None)
    said = ["release", "r1", "--outputs", str(root / "outputs")]
    with serving() as server:
        monkeypatch.setenv("TOKEN_OF_MINE", server.token)
        target = PublishTarget(backend="registry", url=server.url, token_variable="TOKEN_OF_MINE")
        assert CliRunner().invoke(app, said).exit_code == 2
        publish(
            root / "published", root / "bundle.tar.gz", run / "publish_record.json", target, PublishRules()
        )
        assert CliRunner().invoke(app, said, input="n\n").exit_code == 1 and not server.public
        assert "public: " in CliRunner().invoke(app, said, input="y\n").output and server.public
        assert "public already" in CliRunner().invoke(app, said).output
