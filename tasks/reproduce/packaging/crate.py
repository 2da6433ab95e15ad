"""A package's metadata: RO-Crate 1.1 (w3id.org/ro/crate/1.1) by the profile Process Run Crate 0.5 (w3id.org/ro/wfrun/process/0.5)."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping
from typing import Any

from tasks.reproduce.packaging.subject import Described, Subject

METADATA = "ro-crate-metadata.json"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_ENCODINGS = {
    ".md": "text/markdown",
    ".yml": "application/yaml",
    ".lock": "application/json",
    ".py": "text/x-python",
}
_OUTPUT = ("runs/", "study/", "plots/")


def metadata(subject: Subject, files: Mapping[str, bytes]) -> bytes:
    """ro-crate-metadata.json of a package with these files (path -> bytes); the same run gives the same bytes."""
    from rocrate.model.contextentity import ContextEntity
    from rocrate.rocrate import ROCrate

    crate = ROCrate(version="1.1")

    def entity(identifier: str, /, **fields: Any) -> Any:
        return crate.add(ContextEntity(crate, identifier, properties=fields))

    def refer(names: list[str]) -> list[dict[str, str]]:
        return [{"@id": name} for name in names]

    for path in sorted(files):
        crate.add_file(dest_path=path, properties=_file(path, files[path], subject))
    software = {
        "#reprolab": (
            "ReproLab",
            _version(subject, "reprolab"),
            "arranges, measures, judges and reports; no model",
        ),
        "#meep": ("Meep", subject.meep, "solves Maxwell's equations in the time domain, or bands with MPB"),
    }
    for name, (called, version, what) in software.items():
        entity(
            name,
            **{
                "@type": "SoftwareApplication",
                "name": called,
                "softwareVersion": version,
                "description": what,
            },
        )
    entity(
        "#agents",
        **{
            "@type": "SoftwareApplication",
            "name": "ReproLab's agents",
            "softwareVersion": _version(subject, "reprolab"),
            "description": subject.answered,
        },
    )
    entity(PROFILE, **{"@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"})
    entity(
        "#paper",
        **{"@type": "ScholarlyArticle", "name": subject.paper.title, "description": subject.paper.citation},
    )
    actions = [
        *(_solving(stage, files, entity, refer) for stage in subject.described),
        entity(
            "#report",
            **{
                "@type": "CreateAction",
                "name": "Comparing every target with the paper and writing the report",
                "description": f"{subject.verdict}: {subject.reason}",
                "instrument": {"@id": "#reprolab"},
                "object": refer(
                    [
                        path
                        for path in sorted(files)
                        if _part(path).startswith(_OUTPUT[:2]) or path.startswith("paper/")
                    ]
                ),
                "result": refer(
                    [
                        path
                        for path in sorted(files)
                        if path.startswith(
                            ("REPRODUCTION_REPORT_", "APPENDIX_REPRODUCTION_REPORT_", "report_data/")
                        )
                    ]
                ),
                "startTime": subject.started,
                "endTime": subject.ended,
            },
        ),
    ]
    root = crate.root_dataset
    root["name"] = subject.title
    root["description"] = (
        f"{subject.verdict}: {subject.reason}. Descriptions, data of every grid, environment, report and provenance of run "
        f"{subject.run_id}; `reprolab solve` on this folder solves them again."
    )
    root["datePublished"] = subject.ended
    root["license"] = _license(subject, entity)
    root["conformsTo"] = {"@id": PROFILE}
    root["mentions"] = actions
    root["about"] = {"@id": "#paper"}
    made = crate.metadata.generate()
    made["@graph"].sort(key=lambda entry: (entry["@id"] not in ("./", METADATA), entry["@id"]))
    return (json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _solving(stage: Described, files: Mapping[str, bytes], entity: Any, refer: Any) -> Any:
    """The action that made a stage's data from its description."""
    given = sorted(stage.files())
    results = [
        path for path in sorted(files) if path.startswith(tuple(f"{stage.stage_id}/{out}" for out in _OUTPUT))
    ]
    return entity(
        f"#solve-{stage.stage_id}",
        **{
            "@type": "CreateAction",
            "name": f"Solving {stage.stage_id}: {stage.name}",
            "description": "Grids, absorbers, distances and times were varied until each value was known as well as its targets ask; "
            f"`reprolab solve {stage.stage_id}` does it again.",
            "instrument": [{"@id": "#meep"}, {"@id": "#reprolab"}],
            "object": refer(given),
            "result": refer(results),
            "endTime": stage.ended,
        },
    )


def _file(path: str, content: bytes, subject: Subject) -> dict[str, Any]:
    kind = next(
        (kind for end, kind in _ENCODINGS.items() if path.endswith(end)), mimetypes.guess_type(path)[0]
    )
    own = {stage.stage_id for stage in subject.described}
    found: dict[str, Any] = {"name": path, "contentSize": str(len(content))}
    if kind:
        found["encodingFormat"] = kind
    if path.split("/")[0] in own and _part(path) == "describe.py":
        found["creator"] = {"@id": "#agents"}
    return found


def _part(path: str) -> str:
    return path.partition("/")[2]


def _version(subject: Subject, name: str) -> str:
    return str(subject.environment.get("versions", {}).get(name, "unknown"))


def _license(subject: Subject, entity: Any) -> Any:
    if subject.license:
        name, words = f"https://spdx.org/licenses/{subject.license}", "For what is not the paper's."
    else:
        name, words = (
            "#no-licence-yet",
            "All rights are reserved until whoever made this package chooses a licence.",
        )
    return entity(
        name,
        **{
            "@type": "CreativeWork",
            "name": subject.license or "No licence was chosen yet",
            "description": words,
        },
    )
