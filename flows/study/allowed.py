"""What a study may be told that was started through Prefect's API (flows/run/allowed.py)."""

from __future__ import annotations

from flows.run.allowed import below, check_settings, folders
from flows.serving.runtime import from_outside
from schemas.study.settings import StudySettings
from tasks.study.bundled_studies import bundled_ids, study_input
from tasks.study.literature import beside

STUDIES = "REPROLAB_ALLOW_STUDIES"


def check_run(given: str, settings: StudySettings, outputs: str, run_id: str, data: str) -> None:
    """Raises InputError for a parameter of `study` that this worker does not allow. Nothing is opened."""
    if not from_outside():
        return
    if not run_id and given not in bundled_ids():
        below("input", given, folders(STUDIES), f"a bundled study ({', '.join(bundled_ids())})", STUDIES)
    if settings.workspace is not None:
        below(
            "settings.workspace",
            str(settings.workspace),
            folders(STUDIES),
            "empty for the run's own folder",
            STUDIES,
        )
    if settings.retrieval.corpus and not run_id:
        corpus = beside(study_input(given)) / settings.retrieval.corpus
        below(
            "settings.retrieval.corpus",
            str(corpus),
            folders(STUDIES),
            "empty for corpus beside the input",
            STUDIES,
        )
    if data:
        check_data(data)
    for name, text in settings.answers:  # a path given beforehand is a path of the caller's, too
        choice, _, words = text.partition(":")
        if name.replace("-", "_").startswith("provide_data") and choice.strip() == "provide":
            check_data(words.strip())
    check_settings(settings, outputs, STUDIES)


def check_data(path: str) -> None:
    """Raises InputError for a file of data that somebody named over the API and this worker does not allow."""
    if from_outside():
        below("data", path, folders(STUDIES), "no data yet", STUDIES)
