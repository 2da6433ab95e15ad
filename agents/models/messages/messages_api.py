"""Any server that speaks the Messages API: Anthropic's, a gateway, or a local one through base_url.

The official SDK with its own retries off, so that only the flow retries. Always streamed, because long answers must
be, and reassembled here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anthropic

from agents.models.access import Access
from agents.models.address import without_credentials
from agents.models.api_schema import MAX_UNIONS, api_schema, union_count
from agents.models.bill import Bill
from agents.models.errors import FatalModelError, InvalidAnswer, TransientModelError
from agents.models.messages.messages_client import open_client
from agents.models.messages.messages_errors import STREAM_ERRORS, translate
from agents.models.messages.messages_lacking import Lacking
from agents.models.messages.messages_reply import MessageOutcome, outcome_of
from agents.models.messages.messages_request import Prompt, follow_up, prompt_of, schema_note
from agents.models.messages.messages_stream import Received
from agents.models.messages.messages_tools import read_turn
from agents.models.prices import Price, price_usd
from agents.models.validation import needed_repair, validate_answer
from schemas.base import Model
from schemas.run.settings import ModelSettings
from schemas.talking.transcript import AgentReply, AgentRequest, Usage
from schemas.talking.turns import FINISH

LONGEST_ANSWER_TOKENS = 64_000  # every current model allows it; cut-off answers get up to this much room


@dataclass
class _Call:
    """A request on its way: what is sent next, and what it has cost so far."""

    request: AgentRequest
    schema: dict[str, Any]
    prompt: Prompt
    messages: list[dict[str, Any]]
    max_tokens: int
    bill: Bill
    notes: list[str]
    correction: tuple[str, tuple[str, ...]] | None = None


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
        self._lacking = Lacking()
        self._counts: bool | None = None

    def answer(self, request: AgentRequest, answer_type: type[Model]) -> AgentReply:
        """The validated answer; answers that do not fit are sent back with what is wrong, up to max_tries."""
        started, bill, prompt = time.monotonic(), Bill(), self._prompt(request)
        call = _Call(
            request,
            request.answer_schema or answer_type.model_json_schema(),
            prompt,
            prompt.messages,
            request.max_tokens,
            bill,
            list(prompt.notes),
        )
        outcome: MessageOutcome | None = None
        problems: tuple[str, ...] = ()
        for number in range(1, self.max_tries + 1):
            outcome = self._ask(call)
            if outcome.fault is None:
                try:
                    answer = validate_answer(self._said(call, outcome), answer_type)
                except InvalidAnswer as error:
                    problems = tuple(self._secrets.hide(problem) for problem in error.problems)
                else:
                    repaired = not request.tools and needed_repair(outcome.text)
                    return AgentReply(
                        answer=self._secrets.hide_in(answer.model_dump(mode="json")),
                        usage=bill.usage,
                        price_usd=bill.price,
                        duration_s=time.monotonic() - started,
                        model=outcome.model,
                        tries=number,
                        notes=tuple(call.notes),
                        raw=outcome.text if number > 1 or repaired else "",
                    )
            else:
                problems = (outcome.detail,)
            call.notes.append(f"try {number}: {'; '.join(problems)[:500]}")
            if self.on_unusable is not None:
                name = outcome.model or request.model_name
                self.on_unusable(
                    request.position.label(),
                    name,
                    problems[0][:200],
                    outcome.usage,
                    price_usd(name, outcome.usage),
                )
            if outcome.fault == "cut off":
                call.max_tokens = max(call.max_tokens, min(2 * call.max_tokens, LONGEST_ANSWER_TOKENS))
            call.correction = (outcome.text if outcome.fault is None and not request.tools else "", problems)
            self._renew(call)
        raise InvalidAnswer(
            f"{request.model_name} gave no usable answer to {request.position.label()} in {self.max_tries} tries.",
            found="\n           ".join(problems),
            allowed=f"one JSON object that fits {answer_type.__name__}",
            fix="try another model, raise model.max_tokens if answers are cut off, or answer with model.kind manual",
            raw=outcome.text if outcome else "",
            problems=problems,
            usage=bill.usage,
            price_usd=bill.price,
            tries=self.max_tries,
        )

    def count_tokens(self, request: AgentRequest) -> int | None:
        """Tokens of a request as the server counts them; None where it does not count (then never asked again)."""
        if self._counts is False:
            return None
        prompt = self._prompt(request)
        body: dict[str, Any] = {"model": request.model_name, **prompt.body(prompt.messages)}
        try:
            return self._client.messages.count_tokens(**body).input_tokens
        except (anthropic.AnthropicError, *STREAM_ERRORS) as error:
            status = getattr(error, "status_code", None)
            self._counts = None if status in (None, 408, 409, 429) or status >= 500 else False
            return None

    def _ask(self, call: _Call) -> MessageOutcome:
        """One try, priced; again without what the server does not take."""
        request, bill = call.request, call.bill
        try:
            while True:
                try:
                    message = self._send(call)
                    break
                except FatalModelError as error:
                    note = self._lacking.give_way(request, error)
                    if note is None:
                        raise
                    call.notes.append(note)
                    call.prompt = self._prompt(request)
                    self._renew(call)
        except (TransientModelError, FatalModelError) as error:
            error.usage, error.price_usd = bill.usage, bill.price
            raise
        outcome = outcome_of(
            message, call.max_tokens, self._secrets.hide, "turn" if request.tools else "JSON object"
        )
        bill.add(outcome.model or request.model_name, outcome.usage)
        if outcome.fault == "context full":
            raise FatalModelError(
                f"The request is too large for {request.model_name}.",
                found=outcome.detail,
                fix="shorten the text of the paper, or choose a model with a larger context",
                reason="too_large",
                usage=bill.usage,
                price_usd=bill.price,
            )
        return outcome

    def _said(self, call: _Call, outcome: MessageOutcome) -> str | dict[str, Any]:
        """The answer as it is validated: the text, or the turn of a conversation."""
        if not call.request.tools:
            return outcome.text
        return read_turn(
            outcome.message,
            turn=len(call.request.turns),
            hide=self._secrets.hide,
            prefix=call.prompt.sent(call.messages),
            past_ids=[past.id for turn in call.request.turns for past in turn.said.calls],
        )

    def _renew(self, call: _Call) -> None:
        """The messages of the next try: the request's, and what did not fit in the last answer."""
        call.messages = call.prompt.messages
        if call.correction is not None:
            told = None if call.request.tools or self._lacking.has("schema", call.request) else call.schema
            call.messages = follow_up(call.messages, *call.correction, told, tools=bool(call.request.tools))

    def _prompt(self, request: AgentRequest) -> Prompt:
        return prompt_of(
            request,
            strict=not self._lacking.has("schema", request),
            thinking=not self._lacking.has("thinking", request),
        )

    def _send(self, call: _Call) -> Received:
        """One request, streamed to its end. An answer that breaks off costs what the server had told by then."""
        request, message = call.request, Received()
        deadline = time.monotonic() + self.settings.timeout_s
        try:
            with self._client.messages.create(**self._body(call), stream=True) as stream:
                self._check_stream(self._secrets.hide(stream.response.headers.get("content-type", "")))
                for event in stream:
                    message.take(event)
                    if time.monotonic() > deadline:
                        raise TransientModelError(
                            f"The model server {self._where} did not finish in time.",
                            found=f"still answering after {self.settings.timeout_s:g} s",
                            fix="wait and retry, or raise model.timeout_s",
                        )
            if message.stop_reason is None:
                raise TransientModelError(
                    f"The answer of the model server {self._where} broke off.",
                    found="the stream ended without a stop reason",
                    fix="wait and retry",
                )
        except TransientModelError:
            _add_begun(call.bill, message, request.model_name)
            raise
        except (anthropic.AnthropicError, *STREAM_ERRORS) as error:
            _add_begun(call.bill, message, request.model_name)
            raise translate(
                error, request.model_name, self._where, self._secrets.hide
            ) from None  # it repeats the server
        return message

    def _body(self, call: _Call) -> dict[str, Any]:
        request = call.request
        body: dict[str, Any] = {
            "model": request.model_name,
            "max_tokens": call.max_tokens,
            **call.prompt.body(call.messages),
        }
        if request.temperature is not None and not self._lacking.has("temperature", request):
            body["extra_body"] = {
                "temperature": request.temperature
            }  # the SDK's own parameters have none any more
        if request.tools:
            choice: dict[str, Any] = {"type": "tool", "name": FINISH} if request.last else {"type": "any"}
            forced = (request.last or request.must_call) and not self._lacking.has("choice", request)
            return body | {"tool_choice": choice if forced else {"type": "auto"}}
        fitted = api_schema(call.schema)
        if self._lacking.has("schema", request) or union_count(fitted) > MAX_UNIONS:
            body["messages"] = _with_schema(call.messages, call.schema)
        else:
            body["output_config"] = {"format": {"type": "json_schema", "schema": fitted}}
        return body

    def _check_stream(self, content_type: str) -> None:
        """Refuse a login page or a plain JSON reply: asking again would give the same."""
        if not content_type.startswith("text/event-stream"):
            raise FatalModelError(
                f"The server {self._where} does not stream answers of the Messages API.",
                found=f"content type {content_type or 'none'}",
                allowed="text/event-stream",
                fix="check model.base_url: the address before /v1/messages",
                reason="configuration",
            )


def _add_begun(bill: Bill, message: Received, model: str) -> None:
    """Count an answer that broke off."""
    if message.begun:
        bill.add(message.model or model, message.usage)


def _with_schema(messages: list[dict[str, Any]], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The same messages with the schema in the first user turn."""
    first, *rest = messages
    return [{**first, "content": [*first["content"], schema_note(schema)]}, *rest]
