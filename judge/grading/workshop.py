"""A box in which one submission is built, step by step."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.grading.errors import GradingError
from judge.grading.measure import measured, sandbox_limits
from judge.grading.message import tidy_file
from judge.grading.slot import Cancel
from judge.model import Evidence, Limits, explain, needs_checker
from sandbox import Box, Command, ExecError

MARKERS = {"CI": "true", "ONLINE_JUDGE": "true", "ADJUDGE": "true"}
"""What tells a program that it runs in this judge."""


class StepFailed(Exception):
    """A step of a build did not succeed, by the submission's fault: `message` is for its author,
    `exit_code` is None where the step was stopped or died."""

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        self.message, self.exit_code = message, exit_code
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Workshop:
    """An open box, the limits of each step in it, and the way to stop."""

    box: Box
    limits: Limits
    cancel: Cancel
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def workspace(self) -> Path:
        """The folder of this machine that the steps see as their own."""
        return self.box.workspace

    def step(self, name: str, *argv: str, env: Mapping[str, str] | None = None) -> str:
        """Run a command in the workspace; what it wrote to standard error, tidied.

        StepFailed where it fails or exceeds the limits; GradingError where it cannot be started.
        """
        with tempfile.TemporaryFile() as errors:
            command = Command(
                argv=argv,
                limits=sandbox_limits(self.limits),
                env={**MARKERS, **self.env, **(env or {})},
                stderr=errors.fileno(),
                keep_workspace=True,
            )
            try:
                run = measured(self.cancel.run(self.box, command), self.limits)
            except ExecError as error:
                raise GradingError(f"build: {name}", f"{argv[0]}: {error}") from error
            said = tidy_file(errors)
        if needs_checker(run, self.limits):
            return said
        if said and run.exit_code:
            raise StepFailed(said, run.exit_code)
        reason = explain(Evidence(limits=self.limits, run=run))
        raise StepFailed(f"{name}: {reason}\n{said}".strip(), run.exit_code)
