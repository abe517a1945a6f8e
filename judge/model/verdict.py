"""The words of an outcome, and the one function that decides which word it is."""

import signal
from enum import StrEnum

from judge.model.evidence import Evidence, Run
from judge.model.limits import NS_PER_SECOND, Limits


class State(StrEnum):
    """Where a judging is on its way. The live ones are shown as its status (ACMOJ)."""

    PENDING = "pending"
    COMPILING = "compiling"
    JUDGING = "judging"
    FINISHED = "finished"


class Verdict(StrEnum):
    """How a test, a group or a judging ended: ACMOJ's words, and `output_limit_exceeded`."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    COMPILE_ERROR = "compile_error"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT_EXCEEDED = "time_limit_exceeded"
    MEMORY_LIMIT_EXCEEDED = "memory_limit_exceeded"
    DISK_LIMIT_EXCEEDED = "disk_limit_exceeded"
    OUTPUT_LIMIT_EXCEEDED = "output_limit_exceeded"
    MEMORY_LEAK = "memory_leak"
    SKIPPED = "skipped"
    ABORTED = "aborted"
    VOID = "void"
    BAD_PROBLEM = "bad_problem"
    SYSTEM_ERROR = "system_error"


OURS = frozenset({Verdict.SYSTEM_ERROR, Verdict.BAD_PROBLEM})
"""Verdicts that are never charged to a participant."""


def decide(evidence: Evidence) -> Verdict:
    """The verdict of one test: the first row of DESIGN.md's table (section 4) that holds.

    Total: evidence that says too little is a fault of ours, never a participant's.
    """
    if evidence.our_fault:
        return Verdict.SYSTEM_ERROR
    if evidence.problem_fault:
        return Verdict.BAD_PROBLEM
    if evidence.run is not None:
        failure = _failure_of(evidence.run, evidence.limits)
        if failure is not None:
            return failure
    if evidence.invalid_access:
        return Verdict.RUNTIME_ERROR
    if evidence.checked is None:
        return Verdict.SYSTEM_ERROR
    if evidence.checked.score < 1:
        return Verdict.WRONG_ANSWER
    if evidence.leak is not None:
        return Verdict.MEMORY_LEAK
    return Verdict.ACCEPTED


def needs_checker(run: Run, limits: Limits) -> bool:
    """Whether the run went well enough for its output to be worth checking."""
    return _failure_of(run, limits) is None


def _failure_of(run: Run, limits: Limits) -> Verdict | None:
    if run.memory_exceeded:
        return Verdict.MEMORY_LIMIT_EXCEEDED
    if run.usage.cpu_ns > limits.cpu_ns or run.usage.wall_ns > limits.wall_ns:
        return Verdict.TIME_LIMIT_EXCEEDED
    if run.output_exceeded:
        return Verdict.OUTPUT_LIMIT_EXCEEDED
    if run.disk_exceeded:
        return Verdict.DISK_LIMIT_EXCEEDED
    if run.signal is not None or run.exit_code != 0:
        return Verdict.RUNTIME_ERROR
    return None


def explain(evidence: Evidence) -> str:
    """One sentence for the participant about the verdict of `decide`, or the checker's message."""
    run, limits = evidence.run, evidence.limits
    match decide(evidence):
        case Verdict.SYSTEM_ERROR:
            return evidence.our_fault or "The judge did not finish its work on this test."
        case Verdict.BAD_PROBLEM:
            return evidence.problem_fault
        case Verdict.MEMORY_LIMIT_EXCEEDED:
            return f"More memory than {limits.memory_bytes} bytes."
        case Verdict.TIME_LIMIT_EXCEEDED if run and run.usage.cpu_ns > limits.cpu_ns:
            return f"More CPU time than {_seconds(limits.cpu_ns)}."
        case Verdict.TIME_LIMIT_EXCEEDED:
            return f"More wall time than {_seconds(limits.wall_ns)}."
        case Verdict.OUTPUT_LIMIT_EXCEEDED:
            return f"More output than {limits.output_bytes} bytes."
        case Verdict.DISK_LIMIT_EXCEEDED:
            return f"More on disk than {limits.disk_bytes} bytes in {limits.files} files."
        case Verdict.RUNTIME_ERROR if run and run.signal is not None:
            return f"Died of {_signal_name(run.signal)}. {evidence.invalid_access}".strip()
        case Verdict.RUNTIME_ERROR if evidence.invalid_access:
            return evidence.invalid_access
        case Verdict.RUNTIME_ERROR if run:
            return f"Exit code {run.exit_code}."
        case Verdict.MEMORY_LEAK if evidence.leak:
            return f"{evidence.leak.lost_bytes} bytes lost in {evidence.leak.lost_blocks} blocks."
        case _:
            return evidence.checked.message if evidence.checked else ""


def _seconds(ns: int) -> str:
    return f"{ns / NS_PER_SECOND:g} s"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
