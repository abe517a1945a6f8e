"""What was seen of one test, and by whose fault nothing was."""

from dataclasses import dataclass

from judge.model.limits import Limits, Usage


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run of the submission.

    Exactly one of `exit_code` and `signal` is set. `memory_exceeded` is evidence, not a guess from
    a figure: the kernel killed a process for memory, or anonymous and shared memory reached the
    limit. `output_exceeded` and `disk_exceeded` say that the run was stopped, or ended, over that
    limit.
    """

    usage: Usage
    exit_code: int | None
    signal: int | None
    memory_exceeded: bool = False
    output_exceeded: bool = False
    disk_exceeded: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """The checker's word: `score` from 0 (no) to 1 (yes), and its message to the participant.

    `raw` is the score as the checker gave it, where it gave one, before it was mapped to points.
    `judge_message` is for operators alone.
    """

    score: float
    message: str = ""
    raw: float | None = None
    judge_message: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:
            raise ValueError(f"a checker's score is from 0 to 1, not {self.score}")


@dataclass(frozen=True, slots=True)
class Leak:
    """Memory that the program lost and could never free."""

    lost_bytes: int
    lost_blocks: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that `decide` looks at.

    `our_fault` and `problem_fault` are sentences for the operator; they are empty where the
    machinery and the problem did their part. `run` is None where nothing is run (output only),
    `checked` is None where the checker was not asked because the run itself had failed.
    """

    limits: Limits
    run: Run | None = None
    checked: Checked | None = None
    invalid_access: str = ""
    """A sentence about memory that was not the program's to read, write or free (leak check)."""
    leak: Leak | None = None
    our_fault: str = ""
    problem_fault: str = ""
