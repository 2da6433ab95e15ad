"""Reviews: what the reviewer says and what code found, joined so that neither can be overruled."""

from __future__ import annotations

from schemas.talking.review import Issue, ReviewAnswer

_RULES_ONLY = "checked by rules only; no reviewer's answer"


def judge_review(answer: ReviewAnswer | None, findings: tuple[Issue, ...]) -> ReviewAnswer:
    """The verdict of a review.

    answer: the reviewer's, or None if blocking findings made the question unnecessary. findings: what code
    found. needs_revision as soon as either side has a blocking issue or the reviewer asks for one; never more
    lenient than the reviewer or the findings. Findings are added to the issues, and to the feedback when a
    revision is due.
    """
    own = answer.issues if answer else ()
    issues = merge(findings, own)
    blocked = any(issue.severity == "blocking" for issue in issues)
    revise = blocked or (answer is not None and answer.verdict == "needs_revision")
    feedback = answer.feedback if answer else ""
    if revise:
        listed = findings if answer and answer.verdict == "needs_revision" else issues
        feedback = join(feedback, issue_lines(listed))
    return ReviewAnswer(
        verdict="needs_revision" if revise else "approve",
        issues=issues,
        checklist=answer.checklist if answer else (_RULES_ONLY,),
        feedback=feedback,
        backtrack_suggestion=answer.backtrack_suggestion if answer else None,
    )


def why_sent_back(verdict: ReviewAnswer) -> str:
    """The first thing that decided: what code refused, else the reviewer's own words."""
    refused = next((issue.description for issue in verdict.issues if issue.severity == "blocking"), "")
    return refused or verdict.feedback.strip().partition("\n")[0][:300] or "no reason was given"


def judge_misfits(misfits: tuple[Issue, ...], before: str) -> ReviewAnswer:
    """The verdict on edits that do not fit, of which none was applied. before: the feedback they were to answer; it stays
    open."""
    verdict = judge_review(None, misfits)
    still = before and f"Still open, the review before:\n{before}"
    return verdict.model_copy(update={"feedback": join(verdict.feedback, still)})


def merge(first: tuple[Issue, ...], second: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Both lists without repetitions, the worst first. The severity of a repeated issue is the worse one."""
    order = ("blocking", "major", "minor")
    kept: dict[tuple[str, str], Issue] = {}
    for issue in sorted((*first, *second), key=lambda issue: order.index(issue.severity)):
        kept.setdefault((issue.where, issue.description), issue)
    return tuple(kept.values())


def issue_lines(issues: tuple[Issue, ...]) -> str:
    """One line per issue, with its remedy."""
    return "\n".join(
        f"- [{i.severity}] {i.where}: {i.description}" + (f" Fix: {i.fix}" if i.fix else "") for i in issues
    )


def join(*texts: str) -> str:
    """The texts that say something, a blank line between them."""
    return "\n\n".join(text.strip() for text in texts if text.strip())
