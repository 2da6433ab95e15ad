"""paper: sections, the whole paper, its compilation and form, reviews by a venue's rubric, availability, merging."""

from __future__ import annotations

from schemas.errors import InputError
from schemas.explore.paper import SECTIONS, CompiledPaper, PaperSource, Section, SectionIssue, SectionName
from skills import kit
from skills.stage import StageRun, stage_of
from tasks.explore.paper import writing
from tasks.explore.paper.building import SOURCE, build_paper, read_inputs, read_model
from tasks.explore.paper.finalizing import finalize_paper
from tasks.explore.paper.template import template_of
from tasks.explore.review import merging, reviewing
from tasks.explore.review.formatting import check_format as format_findings
from tasks.explore.review.venues import load_venue, venue_names
from tasks.files.store import atomic_write

server = kit.skill("paper", "A paper from measured data: sections, LaTeX and HTML, reviews.")


@server.tool()
def list_venues() -> str:
    """The venues by name: what is published there, columns, limits."""
    venues = [load_venue(name) for name in venue_names()]
    return kit.answer(
        [
            {
                "venue": venue.venue,
                "title": venue.title,
                "kind": venue.kind,
                "columns": venue.columns,
                "most_pages": venue.most_pages,
            }
            for venue in venues
        ]
    )


@server.tool()
def list_rubrics() -> str:
    """The venues' rubrics: scales, weights, anchors, thresholds, number of referees."""
    shown = {"scales", "accept_at", "borderline_at", "reviewers"}
    return kit.answer(
        {name: load_venue(name).model_dump(mode="json", include=shown) for name in venue_names()}
    )


@server.tool()
def get_template(ctx: kit.Call, venue: str = "") -> str:
    """The LaTeX around a paper of that venue, by default the run's."""
    with stage_of(ctx) as stage:
        return template_of(stage.venue(venue).columns)


@server.tool()
async def generate_section(ctx: kit.Call, section: SectionName, venue: str = "") -> str:
    """Draft one section; numbers and citations by name only. It is kept in paper/source.json."""
    with stage_of(ctx) as stage:
        inputs, source = read_inputs(stage.run_dir), _source(stage, venue)
        done = {found.name: found for found in source.sections}
        context = writing.section_context(section, inputs, stage.venue(venue), done)
        answer, removed = await writing.draft_section(kit.asker(ctx), section, context, inputs.material())
        title = answer.title or source.title
        _keep(stage, source.model_copy(update={"title": title}), Section(name=section, text=answer.text))
    return kit.answer({"section": section, "text": answer.text, "title": answer.title, "removed": removed})


@server.tool()
async def review_section(ctx: kit.Call, section: SectionName, venue: str = "") -> str:
    """What a section of paper/source.json still needs."""
    with stage_of(ctx) as stage:
        found, context = _section(stage, section, venue)
        review = await writing.review_section(kit.asker(ctx), found, context, read_inputs(stage.run_dir).data)
    return kit.answer(review.model_dump(mode="json"))


@server.tool()
async def revise_section(
    ctx: kit.Call, section: SectionName, issues: list[SectionIssue], venue: str = ""
) -> str:
    """Revise a section of paper/source.json once, for these issues."""
    with stage_of(ctx) as stage:
        found, context = _section(stage, section, venue)
        material = read_inputs(stage.run_dir).material()
        revised, removed = await writing.revise_section(
            kit.asker(ctx), found, tuple(issues), context, material
        )
        _keep(stage, _source(stage, venue), revised)
    return kit.answer(
        {"section": section, "text": revised.text, "rounds": revised.rounds, "removed": removed}
    )


@server.tool()
async def write_paper_iterative(ctx: kit.Call, venue: str = "", rounds: int = 2) -> str:
    """The whole paper: each section drafted, checked, reviewed and revised (at most two rounds), then compiled. A sentence that
    compares otherwise than the data do is marked."""
    with stage_of(ctx) as stage:
        written = await writing.write_paper(
            kit.asker(ctx), read_inputs(stage.run_dir), stage.venue(venue), rounds=rounds
        )
        made = build_paper(stage.run_dir, written.source, stage.venue(venue), allow_degraded=_degraded(stage))
    removed = [f"{name}: {sentence[:300]}" for name, sentence in written.removed]
    contradicted = [f"{name}: {sentence[:300]}" for name, sentence in written.marked]
    return _compiled(made, {"title": written.source.title, "removed": removed, "marked": contradicted})


@server.tool()
def compile_paper(ctx: kit.Call, venue: str = "") -> str:
    """LaTeX, BibTeX, HTML and, where latexmk is, PDF of paper/source.json."""
    with stage_of(ctx) as stage:
        made = build_paper(
            stage.run_dir,
            read_model(stage.run_dir / SOURCE, PaperSource),
            stage.venue(venue),
            allow_degraded=_degraded(stage),
        )
    return _compiled(made, {})


@server.tool()
def check_format(ctx: kit.Call, venue: str = "") -> str:
    """What the venue wants of the form, each requirement with what was found."""
    with stage_of(ctx) as stage:
        found = format_findings(stage.run_dir, stage.venue(venue))
    return kit.answer(
        {
            "ok": all(finding.held is not False for finding in found),
            "findings": [finding.model_dump(mode="json") for finding in found],
        }
    )


@server.tool()
async def review_compiled_paper(ctx: kit.Call, venue: str = "", reviewers: int = 0) -> str:
    """Review the paper's text by the venue's rubric: several referees and an area chair; writes review_report.json."""
    with stage_of(ctx) as stage:
        number = reviewers or max(stage.settings.reviewers, stage.venue(venue).reviewers)
        report = await reviewing.review_paper(
            kit.asker(ctx), stage.run_dir, stage.venue(venue), min(max(number, 1), 9)
        )
    return kit.answer(
        {
            "headline": f"{report.verdict}, {report.score:.2f} of 1 at {report.venue}",
            "verdict": report.verdict,
            "paper_score": report.score,
            "citation_ok": report.citation_ok,
            "per_scale": report.per_scale,
            "feedback": report.feedback[:20],
            "file": reviewing.REPORT,
        }
    )


@server.tool()
def inject_code_availability(ctx: kit.Call, venue: str = "") -> str:
    """Put reference, digest and the section on code and data into the paper, from manifest.lock and publish_record.json."""
    with stage_of(ctx) as stage:
        made = finalize_paper(stage.run_dir, stage.venue(venue), allow_degraded=_degraded(stage))
    return _compiled(made, {})


@server.tool()
def merge_reviews(ctx: kit.Call) -> str:
    """Attach the review of the figures to review_report.json; no model is asked, no score changes."""
    with stage_of(ctx) as stage:
        report = merging.merge_reviews(stage.run_dir)
    return kit.answer(
        {
            "headline": "with the figures' review"
            if report.vlm_figure_review
            else "there is no figures' review",
            "verdict": report.verdict,
            "paper_score": report.score,
            "file": reviewing.REPORT,
        }
    )


def _source(stage: StageRun, venue: str) -> PaperSource:
    """What was written so far; without a section yet, an empty one."""
    try:
        return read_model(stage.run_dir / SOURCE, PaperSource)
    except InputError:
        if (stage.run_dir / SOURCE).exists():
            raise
        return PaperSource(
            title=read_inputs(stage.run_dir).data.title, venue=stage.venue(venue).venue, sections=()
        )


def _section(stage: StageRun, name: SectionName, venue: str) -> tuple[Section, dict[str, object]]:
    source = _source(stage, venue)
    found = source.section(name)
    if found is None:
        raise kit.ToolError(f"there is no section {name} yet; generate_section drafts it")
    others = {other.name: other for other in source.sections if other.name != name}
    return found, writing.section_context(name, read_inputs(stage.run_dir), stage.venue(venue), others)


def _keep(stage: StageRun, source: PaperSource, section: Section) -> None:
    sections = {found.name: found for found in source.sections} | {section.name: section}
    kept = source.model_copy(
        update={"sections": tuple(sections[name] for name in SECTIONS if name in sections)}
    )
    atomic_write(stage.run_dir / SOURCE, kept.model_dump_json(indent=1))


def _degraded(stage: StageRun) -> bool:
    return stage.settings.allow_degraded_sandbox


def _compiled(made: CompiledPaper, more: dict[str, object]) -> str:
    words = f"{made.pages} pages" if made.pdf else made.why_no_pdf
    return kit.answer({"headline": f"paper: {words}", **more, **made.model_dump(mode="json")})


if __name__ == "__main__":
    server.main()
