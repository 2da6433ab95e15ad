"""validating.py CRATE TERMS KEPT: what roc-validator says of a crate, offline; run by the Python of an environment that has it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

ADDRESS = "https://w3id.org/ro/crate/1.1/context"
PROFILES = ("ro-crate-1.1", "process-run-crate-0.5")


def keep(terms: Path, kept: str) -> None:
    """Put the terms into the validator's own cache, at the address it asks."""
    from requests.adapters import BaseAdapter, HTTPAdapter
    from requests_cache import CachedSession
    from urllib3 import HTTPResponse

    class OfFile(BaseAdapter):
        def send(self, request, *_, **__):
            body, kind = io.BytesIO(terms.read_bytes()), {"Content-Type": "application/ld+json"}
            raw = HTTPResponse(body=body, status=200, headers=kind, preload_content=False)
            return HTTPAdapter().build_response(request, raw)

        def close(self):
            pass

    with CachedSession(cache_name=kept, backend="sqlite", expire_after=-1) as session:
        session.mount("https://w3id.org/", OfFile())
        session.get(ADDRESS)


def main(crate: str, terms: str, kept: str) -> int:
    """Prints each profile with "passed" or what is wrong."""
    from rocrate_validator import models, services

    keep(Path(terms), kept)
    failed = 0
    for profile in PROFILES:
        result = services.validate(
            services.ValidationSettings(
                rocrate_uri=crate,
                profile_identifier=profile,
                requirement_severity=models.Severity.REQUIRED,
                offline=True,
                cache_path=kept,
            )
        )
        failed += not result.passed()
        print(profile, "passed" if result.passed() else [issue.message for issue in result.get_issues()])
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
