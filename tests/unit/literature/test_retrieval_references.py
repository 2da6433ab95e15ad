"""References: keys are safe and differ, the same work is one entry, a second work with the same title is another."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from schemas.literature.found_works import Bibliography, QueryResult, Reference, citation_key, free_key

pytestmark = pytest.mark.unit


def work(title: str, year: int | None = 1988, key: str = "yeh1988optical", **more: object) -> Reference:
    return Reference.model_validate({"key": key, "title": title, "year": year, "source": "corpus", **more})


def found(*references: Reference, query: str = "coatings") -> QueryResult:
    return QueryResult(query=query, backends=("corpus",), references=references)


def test_a_key_is_plain_letters_from_name_year_and_first_telling_word():
    assert citation_key(("Max Born", "Emil Wolf"), 1999, "The Principles of Optics") == "born1999principles"
    assert citation_key(("Fabry, Ch.",), 1901, "Sur les franges") == "fabry1901sur"
    assert citation_key(("Østergård Müller",), None, "Δ!") == "muller"
    assert citation_key((), 2001, "") == "anonymous2001"
    work("any", key=citation_key(("林",), 2020, "光子"))


@pytest.mark.parametrize("key", ["", "1a", "a}b", "a,b", "a b", "a\\input", "a%", "ä", "a" * 65, "a\n"])
def test_a_key_that_bibtex_or_latex_would_misread_is_refused(key: str):
    with pytest.raises(ValidationError):
        work("any", key=key)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("url", "javascript:alert(1)"),
        ("url", "https://a b"),
        ("url", "https://a/<b>"),
        ("doi", "11.1/x"),
        ("doi", "10.1000/a b"),
        ("arxiv", "2401.1"),
        ("title", ""),
        ("year", 99),
        ("source", "somewhere"),
    ],
)
def test_fields_of_others_are_checked(field: str, value: object):
    with pytest.raises(ValidationError):
        Reference.model_validate({"key": "a", "title": "t", "source": "corpus", field: value})


def test_two_keys_that_differ_in_case_only_are_refused():
    with pytest.raises(ValidationError, match="two references have the key"):
        Bibliography(references=(work("one", key="a"), work("two", key="A")))


def test_new_results_keep_known_keys_fill_gaps_and_get_free_keys():
    known = Bibliography(references=(work("Optical Waves in Layered Media", abstract=""),))
    merged = known.with_results(
        [
            found(
                work("Optical waves in layered media.", key="other", abstract="On layers", doi="10.1000/a")
            ),
            found(work("A wholly different work", key="Yeh1988optical"), query="layers"),
        ]
    )
    assert [reference.key for reference in merged.references] == ["yeh1988optical", "Yeh1988opticala"]
    assert merged.references[0].abstract == "On layers" and merged.references[0].doi == "10.1000/a"
    assert merged.queries == ("coatings", "layers") and merged.keys() == {"yeh1988optical", "Yeh1988opticala"}


def test_the_same_work_is_found_by_doi_or_number_and_not_by_a_title_alone():
    same_doi = found(work("One title of it", doi="10.1000/AB"), work("Another", doi="10.1000/ab"))
    assert len(Bibliography().with_results([same_doi]).references) == 1
    preprint = found(
        work("Fast stencils on cores", 2019, arxiv="1901.00001"), work("Fast stencils on cores", 2020)
    )
    assert len(Bibliography().with_results([preprint]).references) == 1
    editions = found(work("Principles of Optics", 1959), work("Principles of Optics", 1999))
    assert len(Bibliography().with_results([editions]).references) == 2
    short = found(work("Optics", 1959), work("Optics", 1960))
    assert len(Bibliography().with_results([short]).references) == 2


def test_a_free_key_exists_however_many_have_it():
    taken = {"a"}
    for _ in range(1200):
        taken.add(free_key("a", taken))
    assert len(taken) == 1201 and {"aa", "az", "ax26"} <= taken
