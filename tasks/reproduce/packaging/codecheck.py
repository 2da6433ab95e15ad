"""A draft of codecheck.yml (codecheck.org.uk/spec/config/1.0): what code knows of a check; who checks, report and number are a person's."""

from __future__ import annotations

import re
from collections.abc import Iterable

import yaml

from tasks.reproduce.packaging.subject import Subject

FILE = "codecheck.yml"
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)]")
_DRAFT = """# A draft, written by code: no person has checked anything yet, and there is no certificate.
# Whoever checks adds `codechecker` (name, ORCID), `certificate` (the number the register gives), `report` (its DOI), and the authors of
# the paper as `authors` (name, ORCID) below `paper`.
"""


def draft(subject: Subject, outputs: Iterable[str]) -> bytes:
    """codecheck.yml. outputs: the files that solving again makes anew, relative to it."""
    found = _DOI.search(subject.paper.citation)
    reference = f"https://doi.org/{found[0]}" if found else subject.paper.citation
    told = {
        "version": "https://codecheck.org.uk/spec/config/1.0/",
        "manifest": [
            {"file": path, "comment": f"written again by: reprolab solve {path.split('/')[0]}"}
            for path in outputs
        ],
        "paper": {"title": subject.paper.title, "reference": reference},
        "check_time": subject.ended,
        "summary": f"{subject.verdict}: {subject.reason}",
    }
    text = yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=120)
    return f"---\n{_DRAFT}{text}".encode()
