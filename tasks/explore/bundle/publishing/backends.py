"""The backends: each stages an archive, and makes public what it staged."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from schemas.bundle import ManifestLock
from schemas.errors import InputError
from schemas.explore.bundle import PublishRecord, PublishRules, PublishTarget
from tasks.explore.bundle.publishing import hosts
from tasks.explore.bundle.publishing.service import Service, field, token_of


class Backend(Protocol):
    """stage: upload, visible to nobody else; the record's changed fields. release: make it public."""

    def stage(self, archive: Path, lock: ManifestLock, rules: PublishRules) -> dict[str, Any]: ...

    def release(self, record: PublishRecord) -> dict[str, Any]: ...


class LocalTarball:
    """The archive beside the run's other files. Public means that a person said it may be given away."""

    def stage(self, archive: Path, lock: ManifestLock, rules: PublishRules) -> dict[str, Any]:
        return {"ref": str(archive.resolve())}

    def release(self, record: PublishRecord) -> dict[str, Any]:
        return {}


class Registry:
    """A plain HTTP registry: PUT, POST and GET at <url>/bundles/<digest>, see docs/guide/bundle.md."""

    def __init__(self, target: PublishTarget):
        self.target, self.base = target, target.url.rstrip("/")
        if not self.base:
            raise InputError(
                "a registry needs its address", fix="give `url`, such as https://registry.example.org"
            )

    def _service(self) -> Service:
        return Service(self.base, token=token_of(self.target.token_variable))

    def stage(self, archive: Path, lock: ManifestLock, rules: PublishRules) -> dict[str, Any]:
        entry = f"{self.base}/bundles/{lock.bundle_sha256}"
        with self._service() as service:
            service.send("PUT", f"{entry}/bundle.tar.gz", doing="uploading to the registry", file=archive)
        return {"ref": f"{entry}/bundle.tar.gz", "url": entry, "remote_id": lock.bundle_sha256}

    def release(self, record: PublishRecord) -> dict[str, Any]:
        with self._service() as service:
            service.send(
                "POST",
                f"{self.base}/bundles/{record.remote_id}/publish",
                doing="making the bundle public",
                allowed=(200, 201, 202, 204),
            )
        return {}


class Zenodo:
    """A deposition with a reserved DOI. Source: developers.zenodo.org, REST API, depositions and the files (bucket) API."""

    def __init__(self, target: PublishTarget):
        self.target, self.base = target, (target.url or hosts.ZENODO).rstrip("/")

    def _service(self) -> Service:
        return Service(self.base, token=token_of(self.target.token_variable or "ZENODO_TOKEN"))

    def stage(self, archive: Path, lock: ManifestLock, rules: PublishRules) -> dict[str, Any]:
        title = rules.title or lock.title or f"Bundle {lock.bundle_sha256[:12]}"
        license = lock.license or rules.license
        metadata = {
            "title": title,
            "upload_type": "software",
            "access_right": "open",
            "prereserve_doi": True,
            "license": _ZENODO_LICENSES.get(license, license.lower()),
            "description": (rules.description or title) + f" (bundle_sha256: {lock.bundle_sha256})",
            "creators": [{"name": name} for name in rules.creators or (rules.holder,)],
        }
        with self._service() as service:
            made = service.send(
                "POST", f"{self.base}/api/deposit/depositions", doing="making a deposition", json={}
            )
            number = str(field(made, "id"))
            bucket = str(field(made, "links", "bucket"))
            service.send("PUT", f"{bucket}/bundle.tar.gz", doing="uploading to Zenodo", file=archive)
            described = service.send(
                "PUT",
                f"{self.base}/api/deposit/depositions/{quote(number)}",
                doing="describing the deposition",
                json={"metadata": metadata},
            )
            doi = str(field(described, "metadata", "prereserve_doi", "doi"))
        return {
            "ref": f"{self.base}/records/{number}/files/bundle.tar.gz",
            "url": f"{self.base}/deposit/{number}",
            "doi": doi,
            "remote_id": number,
        }

    def release(self, record: PublishRecord) -> dict[str, Any]:
        address = f"{self.base}/api/deposit/depositions/{quote(record.remote_id)}/actions/publish"
        with self._service() as service:
            done = service.send("POST", address, doing="publishing the deposition")
        return {"url": f"{self.base}/records/{record.remote_id}", "doi": str(done.get("doi") or record.doi)}


_ZENODO_LICENSES = {
    "MIT": "mit-license",
    "Apache-2.0": "apache-2.0",
    "BSD-3-Clause": "bsd-3-clause",
    "GPL-3.0": "gpl-3.0",
    "CC-BY-4.0": "cc-by-4.0",
}


class GitHub:
    """A draft release of a repository. Source: docs.github.com, REST API, releases and release assets (version 2022-11-28)."""

    def __init__(self, target: PublishTarget):
        self.target = target
        self.api = (target.url or hosts.GITHUB_API).rstrip("/")
        self.uploads = (target.url or hosts.GITHUB_UPLOADS).rstrip("/")
        self.pages = (target.url or hosts.GITHUB_PAGES).rstrip("/")
        if not target.repository:
            raise InputError("GitHub needs a repository", allowed="owner/name", fix="give `repository`")

    def _service(self) -> Service:
        return Service(
            self.api,
            self.uploads,
            token=token_of(self.target.token_variable or "GITHUB_TOKEN"),
            headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
        )

    def stage(self, archive: Path, lock: ManifestLock, rules: PublishRules) -> dict[str, Any]:
        tag = f"bundle-{lock.bundle_sha256[:12]}"
        with self._service() as service:
            made = service.send(
                "POST",
                f"{self.api}/repos/{self.target.repository}/releases",
                doing="making a draft release",
                json={
                    "tag_name": tag,
                    "name": rules.title or lock.title or tag,
                    "draft": True,
                    "body": f"bundle_sha256: {lock.bundle_sha256}",
                },
            )
            number = str(field(made, "id"))
            service.send(
                "POST",
                f"{self.uploads}/repos/{self.target.repository}/releases/{quote(number)}/assets"
                "?name=bundle.tar.gz",
                doing="uploading to GitHub",
                file=archive,
            )
        return {
            "ref": f"{self.pages}/{self.target.repository}/releases/download/{tag}/bundle.tar.gz",
            "url": str(made.get("html_url") or f"{self.pages}/{self.target.repository}/releases"),
            "remote_id": number,
        }

    def release(self, record: PublishRecord) -> dict[str, Any]:
        address = f"{self.api}/repos/{self.target.repository}/releases/{quote(record.remote_id)}"
        with self._service() as service:
            done = service.send("PATCH", address, doing="publishing the release", json={"draft": False})
        return {"url": str(done.get("html_url") or record.url)}


def backend_of(target: PublishTarget) -> Backend:
    """The backend a target names."""
    match target.backend:
        case "registry":
            return Registry(target)
        case "zenodo":
            return Zenodo(target)
        case "github":
            return GitHub(target)
        case _:
            return LocalTarball()
