"""Which model reviews, by environment variables that begin with ADJUDGE_REVIEW_."""

from enum import StrEnum

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Provider(StrEnum):
    """Whose protocol the endpoint speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class ReviewSettings(BaseSettings):
    """Passed explicitly to whoever needs it."""

    model_config = SettingsConfigDict(env_prefix="ADJUDGE_REVIEW_", frozen=True, extra="ignore")

    provider: Provider = Field(default=Provider.OPENAI, description="openai or anthropic protocol")
    base_url: str = Field(default="", description="Address of the endpoint; its maker's if empty")
    api_key: SecretStr = Field(default=SecretStr(""), description="Key of the endpoint")
    model: str = Field(default="", description="Name of the model")
    samples: int = Field(default=3, ge=1, le=99, description="Answers asked for each repository")
    attempts: int = Field(default=3, ge=1, le=20, description="Tries until an answer is valid")
    retries: int = Field(default=5, ge=0, le=20, description="Retries of a request (429, 5xx)")
    timeout_s: float = Field(default=300, gt=0, description="Seconds a request may take")
    output_tokens: int = Field(default=4096, ge=1, description="The most tokens of an answer")
    bundle_bytes: int = Field(default=400_000, ge=1000, description="The most that is shown")
    input_price: float | None = Field(default=None, ge=0, description="USD, a million tokens in")
    output_price: float | None = Field(default=None, ge=0, description="USD, a million tokens out")
