"""Curating and packing: what is never published, and one digest for one content."""

import os
import tarfile

import pytest

from schemas.bundle import ManifestLock
from schemas.errors import InputError
from schemas.explore.bundle import PublishRules
from tasks.bundle.archive import pack
from tasks.bundle.clone import clone, verify
from tasks.bundle.patterns import denied, matches
from tasks.explore.bundle.curate import curate, read_rules
from tests.unit.bundle.bundle_fixture import FILES, fill

pytestmark = pytest.mark.unit
KEY = b"-----BEGIN " + b"OPENSSH PRIVATE KEY-----\nAAAA\n"


def _curate(root, files=None, rules=None):
    ear = fill(root / "ear", files)
    return curate(ear, root / "ear_published", root / "manifest.lock", rules or PublishRules())


def test_digest_and_archive_are_the_same_whatever_the_modes_times_and_order(tmp_path):
    first = _curate(tmp_path / "a")
    other = fill(tmp_path / "b" / "ear", dict(reversed(FILES.items())))
    for path in other.rglob("*"):
        path.chmod(0o700)
        os.utime(path, (1, 1))
    second = curate(other, tmp_path / "b/ear_published", tmp_path / "b/manifest.lock", PublishRules())
    assert first == second and first.files == len(FILES)
    packed = [pack(tmp_path / name / "ear_published", tmp_path / name / "bundle.tar.gz") for name in "ab"]
    assert packed[0] == packed[1]
    with tarfile.open(tmp_path / "a/bundle.tar.gz") as archive:  # any tar reads it
        names = archive.getnames()
        assert names == sorted(names) and set(names) == {*FILES, "manifest.lock"}
        assert {info.mtime for info in archive} == {0} and {info.uid for info in archive} == {0}
        assert (
            archive.getmember("reproduce.sh").mode == 0o755 and archive.getmember("README.md").mode == 0o644
        )
        assert archive.extractfile("code/kernel.py").read() == FILES["code/kernel.py"]
    assert verify(tmp_path / "a/ear_published") == ManifestLock.model_validate_json(
        (tmp_path / "a/manifest.lock").read_bytes()
    )


def test_an_archive_below_one_folder_unpacks_into_it_alone_and_is_the_same_bundle(tmp_path):
    made = _curate(tmp_path)
    pack(tmp_path / "ear_published", tmp_path / "b.tar.gz", below="paper_run-1")
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        names = archive.getnames()
    assert set(names) == {f"paper_run-1/{name}" for name in (*FILES, "manifest.lock")}
    lock = clone(str(tmp_path / "b.tar.gz"), made.bundle_sha256, tmp_path / "clone")
    assert lock.bundle_sha256 == made.bundle_sha256 and verify(tmp_path / "clone") == lock
    assert {path: (tmp_path / "clone" / path).read_bytes() for path in FILES} == FILES
    assert not list(tmp_path.glob(".cloning-*"))


def test_curating_again_replaces_what_was_there(tmp_path):
    _curate(tmp_path)
    (tmp_path / "ear/code/kernel.py").unlink()
    second = _curate(tmp_path, {"code/other.py": b"x"})
    assert not (tmp_path / "ear_published/code/kernel.py").exists() and second.files == len(FILES)


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "code/.env.local",
        "code/.ENV",
        "secrets/a.txt",
        "code/secrets/deep/b.txt",
        "code/server.pem",
        "data/tls.KEY",
        "code/id_rsa",
        "data/.ssh/id_ed25519",
    ],
)
def test_deny_list_holds_at_any_depth_and_cannot_be_allowed(tmp_path, path):
    found = _curate(tmp_path, {**FILES, path: b"x"}, PublishRules(include=("**",)))
    assert path in dict(found.refused) and denied(path)
    assert not (tmp_path / "ear_published" / path).exists()


@pytest.mark.parametrize(
    "content",
    [
        KEY,
        b"text\n" + KEY.replace(b"OPENSSH", b"RSA"),
        b"-----BEGIN " + b"PRIVATE KEY-----",
        b"-----BEGIN PGP " + b"PRIVATE KEY BLOCK-----",
        b"PuTTY-User-Key-File-3: ssh-ed25519\n",
    ],
)
def test_a_private_key_is_found_by_its_content(tmp_path, content):
    found = _curate(tmp_path, {**FILES, "code/notes.txt": content})
    assert dict(found.refused) == {"code/notes.txt": "it holds a private key"}


def test_links_pipes_and_second_names_are_refused(tmp_path):
    ear = fill(tmp_path / "ear")
    (tmp_path / "passwd").write_text("root")
    (ear / "code/link.py").symlink_to("/etc/passwd")
    (ear / "data").symlink_to(tmp_path)
    os.link(tmp_path / "passwd", ear / "code/hard.py")
    os.mkfifo(ear / "code/pipe.py")
    found = curate(ear, tmp_path / "out", tmp_path / "lock", PublishRules())
    assert set(dict(found.refused)) == {"code/link.py", "data", "code/hard.py", "code/pipe.py"}
    assert found.files == len(FILES)


def test_only_what_the_allow_list_names_is_published(tmp_path):
    rules = PublishRules(include=("*.md", "code/**"), exclude=("code/**/*.csv",))
    found = _curate(tmp_path, {**FILES, "tree.json": b"{}"}, rules)
    published = sorted(file.path for file in verify(tmp_path / "ear_published").files)
    assert published == ["README.md", "code/kernel.py"]
    assert dict(found.refused)["tree.json"].startswith("not in the allow list")


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("a/b.py", "*.py", False),
        ("b.py", "*.py", True),
        ("a/b/c", "a/**", True),
        ("a", "a/**", False),
        ("c", "**/c", True),
        ("a/b/c", "**/c", True),
        ("ab/c", "a?/c", True),
        ("a/c", "a?c", False),
        ("a.py", "a[.]py", False),
    ],
)
def test_patterns(path, pattern, fits):
    assert matches(path, pattern) is fits


def test_nothing_left_and_broken_rules_are_errors_that_name_the_entry(tmp_path):
    with pytest.raises(InputError, match="nothing of"):
        _curate(tmp_path, {"x": b"1"}, PublishRules(include=("code/**",)))
    assert read_rules(tmp_path) is None
    (tmp_path / "publish.yaml").write_text("license: WTFPL\n")
    with pytest.raises(InputError, match="license"):
        read_rules(tmp_path)
    (tmp_path / "publish.yaml").write_text("license: Apache-2.0\ntitle: A kernel\n")
    assert read_rules(tmp_path).license == "Apache-2.0"


def test_a_file_changed_after_curating_is_not_packed(tmp_path):
    _curate(tmp_path)
    (tmp_path / "ear_published/README.md").write_text("# B kernel\n")
    with pytest.raises(InputError, match="curate again"):
        pack(tmp_path / "ear_published", tmp_path / "bundle.tar.gz")
