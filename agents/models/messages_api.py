"""Any server that speaks the Messages API: Anthropic's, a gateway, or a local one through base_url.

The official SDK with its own retries off, so that only the flow retries. Always streamed, because long answers must
be, and reassembled here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import anthropic
from anthropic.types import Message

from agents.models.access import Access
from agents.models.address import without_credentials
from agents.models.api_schema import MAX_UNIONS, api_schema, union_count
from agents.models.bill import Bill
from agents.models.errors import FatalModelError, InvalidAnswer, TransientModelError
from agents.models.messages_client import open_client
from agents.models.messages_errors import STREAM_ERRORS, refuses_schema, translate
from agents.models.messages_reply import Outcome, outcome_of, usage_of
from agents.models.messages_request import Prompt, follow_up, prompt_of, schema_note
from agents.models.prices import Price, price_usd
from agents.models.validation import needed_repair, validate_answer
from schemas.base import Model
from schemas.settings import ModelSettings
from schemas.transcript import AgentReply, AgentRequest, Usage

LONGEST_ANSWER_TOKENS = 64_000  # every current model allows it; cut-off answers get up to this much room


class MessagesModel:
    """A Messages API behind the agents.

    max_tries: how many answers to one request may not fit before InvalidAnswer. access: address and key; by default
    settings.base_url with ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN); with an address none is needed. No redirect is
    followed, and what was sent as a secret is taken out of everything the server says. on_unusable: told at once of
    each answer that was paid for and does not fit (label, model, what is wrong, usage, price), while its call goes on.
    Raises FatalModelError (reason "authentication") at once when there is neither key nor base_url.
    """

    kind = "anthropic"

    def __init__(self, settings: ModelSettings, *, max_tries: int = 3, access: Access | None = None):
        self.settings = settings
        self.max_tries = max_tries
        self.on_unusable: Callable[[str, str, str, Usage, Price], None] | None = None
        self._client, self._secrets = open_client(access or Access(settings.base_url), settings.timeout_s)
        self._where = without_credentials(str(self._client.base_url)).rstrip("/")
        self._unstructured: set[tuple[str, str]] = set()
        self._counts: bool | None = None

    def answer(self, request: AgentRequest, answer_type: type[Model]) -> AgentReply:
        """The validated answer; answers that do not fit are sent back with what is wrong, up to max_tries."""
        started, bill, prompt = time.monotonic(), Bill(), prompt_of(request)
        schema = request.answer_schema or answer_type.model_json_schema()
        notes, max_tokens = list(prompt.notes), request.max_tokens
        messages: list[dict[str, Any]] = [{"role": "user", "content": prompt.user}]
        outcome: Outcome | None = None
        problems: tuple[str, ...] = ()
        for number in range(1, self.max_tries + 1):
            outcome = self._ask(request, prompt, messages, schema, max_tokens, bill, notes)
            if outcome.fault is None:
                try:
                    answer = validate_answer(outcome.text, answer_type)
                except InvalidAnswer as error:
                    problems = tuple(self._secrets.hide(problem) for problem in error.problems)
                else:
                    return AgentReply(answer=self._secrets.hide_in(answer.model_dump(mode="json")), usage=bill.usage,
                                      price_usd=bill.price, duration_s=time.monotonic() - started, model=outcome.model,
                                      tries=number, notes=tuple(notes),
                                      raw=outcome.text if number > 1 or needed_repair(outcome.text) else "")
            else:
                problems = (outcome.detail,)
            notes.append(f"try {number}: {'; '.join(problems)[:500]}")
            if self.on_unusable is not None:
                name = outcome.model or request.model_name
                self.on_unusable(request.position.label(), name, problems[0][:200], outcome.usage,
                                 price_usd(name, outcome.usage))
            if outcome.fault == "cut off":
                max_tokens = max(max_tokens, min(2 * max_tokens, LONGEST_ANSWER_TOKENS))
            repeated = outcome.text if outcome.fault is None else ""
            told = None if self._is_unstructured(request) else schema
            messages = follow_up(prompt.user, repeated, problems, told)
        raise InvalidAnswer(
            f"{request.model_name} gave no usable answer to {request.position.label()} in {self.max_tries} tries.",
            found="\n           ".join(problems), allowed=f"one JSON object that fits {answer_type.__name__}",
            fix="try another model, raise model.max_tokens if answers are cut off, or answer with model.kind manual",
            raw=outcome.text if outcome else "", problems=problems, usage=bill.usage, price_usd=bill.price,
            tries=self.max_tries)

    def count_tokens(self, request: AgentRequest) -> int | None:
        """Tokens of a request as the server counts them; None where it does not count (then never asked again)."""
        if self._counts is False:
            return None
        prompt = prompt_of(request)
        body: dict[str, Any] = {"model": request.model_name, "messages": [{"role": "user", "content": prompt.user}]}
        if prompt.system:
            body["system"] = prompt.system
        try:
            return self._client.messages.count_tokens(**body).input_tokens
        except (anthropic.AnthropicError, *STREAM_ERRORS) as error:
            status = getattr(error, "status_code", None)
            self._counts = None if status in (None, 408, 409, 429) or status >= 500 else False
            return None

    def _ask(self, request: AgentRequest, prompt: Prompt, messages: list[dict[str, Any]], schema: dict[str, Any],
             max_tokens: int, bill: Bill, notes: list[str]) -> Outcome:
        """One try, priced; once more without structured output if the server does not take that."""
        try:
            try:
                message = self._send(request, prompt, messages, schema, max_tokens, bill)
            except FatalModelError as error:
                if self._is_unstructured(request) or not refuses_schema(error):
                    raise
                self._unstructured.add((request.model_name, request.answer_type))
                notes.append(f"the server refuses structured output, so the schema is in the prompt ({error.found})")
                message = self._send(request, prompt, messages, schema, max_tokens, bill)
        except (TransientModelError, FatalModelError) as error:
            error.usage, error.price_usd = bill.usage, bill.price
            raise
        outcome = outcome_of(message, max_tokens, self._secrets.hide)
        bill.add(outcome.model or request.model_name, outcome.usage)
        if outcome.fault == "context full":
            raise FatalModelError(f"The request is too large for {request.model_name}.", found=outcome.detail,
                                  fix="shorten the text of the paper, or choose a model with a larger context",
                                  reason="too_large", usage=bill.usage, price_usd=bill.price)
        return outcome

    def _send(self, request: AgentRequest, prompt: Prompt, messages: list[dict[str, Any]], schema: dict[str, Any],
              max_tokens: int, bill: Bill) -> Message:
        """One request, streamed to its end. An answer that breaks off costs what the server had told by then."""
        body: dict[str, Any] = {"model": request.model_name, "max_tokens": max_tokens, "messages": messages}
        if prompt.system:
            body["system"] = prompt.system
        fitted = api_schema(schema)
        if self._is_unstructured(request) or union_count(fitted) > MAX_UNIONS:
            body["messages"] = _with_schema(messages, schema)
        else:
            body["output_config"] = {"format": {"type": "json_schema", "schema": fitted}}
        deadline = time.monotonic() + self.settings.timeout_s
        begun: Message | None = None
        try:
            with self._client.messages.stream(**body) as stream:
                self._check_stream(self._secrets.hide(stream.response.headers.get("content-type", "")))
                for _ in stream:
                    begun = stream.current_message_snapshot
                    if time.monotonic() > deadline:
                        raise TransientModelError(f"The model server {self._where} did not finish in time.",
                                                  found=f"still answering after {self.settings.timeout_s:g} s",
                                                  fix="wait and retry, or raise model.timeout_s")
                message = stream.get_final_message()
            if message.stop_reason is None:
                raise TransientModelError(f"The answer of the model server {self._where} broke off.",
                                          found="the stream ended without a stop reason", fix="wait and retry")
        except TransientModelError:
            _add_begun(bill, begun, request.model_name)
            raise
        except (anthropic.AnthropicError, *STREAM_ERRORS) as error:
            _add_begun(bill, begun, request.model_name)
            raise translate(error, request.model_name, self._where, self._secrets.hide) from None  # it repeats the server
        return message

    def _check_stream(self, content_type: str) -> None:
        """Refuse a login page or a plain JSON reply: asking again would give the same."""
        if not content_type.startswith("text/event-stream"):
            raise FatalModelError(f"The server {self._where} does not stream answers of the Messages API.",
                                  found=f"content type {content_type or 'none'}", allowed="text/event-stream",
                                  fix="check model.base_url: the address before /v1/messages", reason="configuration")

    def _is_unstructured(self, request: AgentRequest) -> bool:
        return (request.model_name, request.answer_type) in self._unstructured


def _add_begun(bill: Bill, begun: Message | None, model: str) -> None:
    """Count an answer that broke off."""
    if begun is not None:
        bill.add(str(begun.model or model), usage_of(begun))


def _with_schema(messages: list[dict[str, Any]], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The same messages with the schema in the first user turn."""
    first, *rest = messages
    return [{**first, "content": [*first["content"], schema_note(schema)]}, *rest]
