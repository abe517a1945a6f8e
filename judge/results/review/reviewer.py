"""The two protocols a reviewing model may speak, by their official clients, behind one question."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

import anthropic
import openai

from judge.results.review.desk import ReviewFailed
from judge.results.review.settings import Provider, ReviewSettings

_TOOL = "submit_review"
_NOT_THE_PROTOCOL = "the endpoint does not speak the protocol"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `data` is the JSON object of the answer; None with a `fault` where there is
    none that can be used."""

    data: dict[str, Any] | None
    fault: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class Reviewer(Protocol):
    """Asks a model once, for an object of a JSON schema."""

    def ask(self, system: str, user: str, schema: dict[str, Any]) -> Reply:
        """A fault of one answer is in the reply. ReviewFailed where no answer can ever come (a
        wrong key, an unknown model)."""


def make_reviewer(settings: ReviewSettings) -> Reviewer:
    """The reviewer of the settings. ReviewFailed where they are not complete."""
    for name in ("model", "api_key"):
        value = getattr(settings, name)
        if not (value if isinstance(value, str) else value.get_secret_value()):
            raise ReviewFailed(f"set ADJUDGE_REVIEW_{name.upper()} to have a model review")
    match settings.provider:
        case Provider.OPENAI:
            return OpenAIReviewer(settings)
        case Provider.ANTHROPIC:
            return AnthropicReviewer(settings)


class OpenAIReviewer:
    """Chat completions with a JSON schema as the format of the answer."""

    def __init__(self, settings: ReviewSettings) -> None:
        self.settings = settings
        self.client = openai.OpenAI(
            api_key=settings.api_key.get_secret_value(),
            base_url=settings.base_url or None,
            timeout=settings.timeout_s,
            max_retries=settings.retries,
        )

    def ask(self, system: str, user: str, schema: dict[str, Any]) -> Reply:
        """See Reviewer."""
        try:
            answer = self.client.chat.completions.create(
                model=self.settings.model,
                messages=[
                    {"role": "system", "content": system},
                    {"role": "user", "content": user},
                ],
                max_completion_tokens=self.settings.output_tokens,
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": _TOOL, "strict": True, "schema": schema},
                },
            )
        except openai.APIStatusError as error:
            return _refused(self.settings, error.status_code, str(error))
        except openai.OpenAIError as error:
            return Reply(None, _hidden(self.settings, str(error)))
        if not isinstance(answer, openai.types.chat.ChatCompletion):
            return Reply(None, _NOT_THE_PROTOCOL)
        data, fault = _openai_data(answer)
        usage = answer.usage
        return Reply(
            data,
            fault,
            usage.prompt_tokens if usage else 0,
            usage.completion_tokens if usage else 0,
        )


def _openai_data(
    answer: openai.types.chat.ChatCompletion,
) -> tuple[dict[str, Any] | None, str]:
    if not answer.choices or not answer.choices[0].message:
        return None, "the answer is empty"
    choice = answer.choices[0]
    if choice.finish_reason == "length":
        return None, "the answer was cut off"
    if choice.message.refusal:
        return None, f"the model refused: {choice.message.refusal[:200]}"
    return _parse(choice.message.content or "")


class AnthropicReviewer:
    """Messages with one tool that must be called; its input is the answer."""

    def __init__(self, settings: ReviewSettings) -> None:
        self.settings = settings
        self.client = anthropic.Anthropic(
            api_key=settings.api_key.get_secret_value(),
            base_url=settings.base_url or None,
            timeout=settings.timeout_s,
            max_retries=settings.retries,
        )

    def ask(self, system: str, user: str, schema: dict[str, Any]) -> Reply:
        """See Reviewer."""
        try:
            answer = self.client.messages.create(
                model=self.settings.model,
                max_tokens=self.settings.output_tokens,
                system=system,
                messages=[{"role": "user", "content": user}],
                tools=[
                    {
                        "name": _TOOL,
                        "description": "Hands in the ratings.",
                        "input_schema": schema,
                    }
                ],
                tool_choice={"type": "tool", "name": _TOOL},
            )
        except anthropic.APIStatusError as error:
            return _refused(self.settings, error.status_code, str(error))
        except anthropic.AnthropicError as error:
            return Reply(None, _hidden(self.settings, str(error)))
        # The client builds its object out of whatever JSON came, so parts may be missing.
        if not isinstance(answer, anthropic.types.Message) or not answer.usage:
            return Reply(None, _NOT_THE_PROTOCOL)
        data, fault = _anthropic_data(answer)
        return Reply(data, fault, answer.usage.input_tokens, answer.usage.output_tokens)


def _anthropic_data(answer: anthropic.types.Message) -> tuple[dict[str, Any] | None, str]:
    if answer.stop_reason == "max_tokens":
        return None, "the answer was cut off"
    for block in answer.content or ():
        if block.type == "tool_use" and block.name == _TOOL:
            if isinstance(block.input, dict):
                return dict(block.input), ""
            return None, "the answer is not an object"
    return None, "the answer has no ratings"


def _parse(text: str) -> tuple[dict[str, Any] | None, str]:
    try:
        data = json.loads(text)
    except ValueError:
        return None, "the answer is not JSON"
    return (data, "") if isinstance(data, dict) else (None, "the answer is not an object")


def _refused(settings: ReviewSettings, status: int, said: str) -> Reply:
    """After the client's own retries. What will not pass by itself stops the review."""
    reason = f"the endpoint answers {status}: {_hidden(settings, said)}"
    if status in (408, 409, 413, 425, 429) or status >= 500:
        return Reply(None, reason)
    raise ReviewFailed(reason)


def _hidden(settings: ReviewSettings, said: str) -> str:
    """Without the key, which some endpoints repeat in their complaints."""
    return said.replace(settings.api_key.get_secret_value(), "***")[:300]
