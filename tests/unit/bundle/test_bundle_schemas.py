"""The bundle's manifest and the rubric's tree: digests that depend on nothing else, and a closed vocabulary."""

import pytest
from pydantic import ValidationError

from schemas.bundle import BundleFile, ManifestLock, bundle_sha256
from schemas.explore.rubric import TaskNode, finegrained_category_of, rubric_sha256, task_category_of

pytestmark = pytest.mark.unit


def _files() -> tuple[BundleFile, ...]:
    return tuple(
        BundleFile(path=path, sha256=mark * 64, size=7)
        for path, mark in (("code/b.py", "b"), ("README.md", "a"))
    )


def test_digest_of_a_bundle_does_not_depend_on_order_and_a_changed_file_changes_it():
    files = _files()
    assert bundle_sha256(files) == bundle_sha256(files[::-1])
    assert bundle_sha256(files) != bundle_sha256((files[0], files[1].model_copy(update={"size": 8})))
    assert ManifestLock(bundle_sha256=bundle_sha256(files), files=files).size == 14


@pytest.mark.parametrize(
    "paths",
    [("../x",), ("/etc/passwd",), ("a//b",), ("a/./b",), ("a", "a"), ("a", "a/b"), ("manifest.lock",)],
)
def test_manifest_with_a_path_that_no_bundle_has_is_refused(paths):
    with pytest.raises(ValidationError):
        files = tuple(BundleFile(path=path, sha256="a" * 64, size=1) for path in paths)
        ManifestLock(bundle_sha256=bundle_sha256(files), files=files)


def test_manifest_that_lies_about_its_digest_is_refused():
    with pytest.raises(ValidationError, match="the files listed give"):
        ManifestLock(bundle_sha256="0" * 64, files=_files())


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("Result Analysis", "Result Analysis"),
        ("result_match", "Result Analysis"),
        ("Code Dev / implementation", "Code Development"),
        ("executing: run", "Code Execution"),
        ("poetry", None),
    ],
)
def test_a_models_words_for_a_category_become_paperbenchs(words, meant):
    assert task_category_of(words) == meant


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("evaluation, metrics and benchmarking", "Evaluation, Metrics & Benchmarking"),
        ("Dataset & Model Acquisition", "Dataset and Model Acquisition"),
        ("benchmark", "Evaluation, Metrics & Benchmarking"),
        ("plotting figures", "Logging, Analysis & Presentation"),
        ("Experimental Setup", "Experimental Setup"),
        ("", None),
    ],
)
def test_a_models_words_for_a_finer_category_become_paperbenchs(words, meant):
    assert finegrained_category_of(words) == meant


def _leaf(name: str, weight: float = 1.0) -> TaskNode:
    return TaskNode(
        id=name,
        requirements="the kernel is implemented",
        weight=weight,
        task_category="Code Development",
        finegrained_task_category="Method Implementation",
    )


def test_shares_of_leaves_are_paperbenchs_weighted_means():
    tree = TaskNode(
        id="root",
        requirements="the paper is reproduced",
        sub_tasks=(
            _leaf("a", 3),
            TaskNode(
                id="rest", requirements="all the other things", sub_tasks=(_leaf("b", 2), _leaf("c", 0))
            ),
        ),
    )
    assert tree.shares() == {"a": 0.75, "b": 0.25, "c": 0.0}
    assert rubric_sha256(tree) == rubric_sha256(TaskNode.model_validate_json(tree.model_dump_json()))


def test_a_leaf_without_category_and_an_inner_node_with_one_are_refused():
    with pytest.raises(ValidationError, match="a leaf has"):
        TaskNode(id="a", requirements="the kernel is implemented")
    with pytest.raises(ValidationError, match="an inner node has no"):
        TaskNode(
            id="r",
            requirements="the paper is reproduced",
            task_category="Code Execution",
            sub_tasks=(_leaf("a"),),
        )
