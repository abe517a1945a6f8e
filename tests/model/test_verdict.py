"""`decide` row by row: DESIGN.md section 4, first row that holds wins."""

import signal
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.model import Checked, Evidence, Leak, Limits, Run, Usage, Verdict, decide, explain

SECOND = 1_000_000_000
MIB = 1 << 20

LIMITS = Limits(
    cpu_ns=SECOND,
    wall_ns=3 * SECOND,
    memory_bytes=64 * MIB,
    processes=8,
    output_bytes=MIB,
    disk_bytes=4096,
    files=2,
)
USAGE = Usage(cpu_ns=SECOND // 2, wall_ns=SECOND, memory_bytes=8 * MIB, disk_bytes=0, files=0)
FINE = Run(usage=USAGE, exit_code=0, signal=None)
YES = Checked(score=1.0)
NO = Checked(score=0.0, message="line 3: 7, not 8")
LOST = Leak(lost_bytes=48, lost_blocks=2)

BUSY = replace(FINE, usage=replace(USAGE, cpu_ns=SECOND + 1))
SLEEPY = replace(FINE, usage=replace(USAGE, cpu_ns=0, wall_ns=3 * SECOND + 1))
FAT = replace(FINE, memory_exceeded=True)
LOUD = replace(FINE, output_exceeded=True)
MESSY = replace(FINE, disk_exceeded=True)
CRASHED = replace(FINE, exit_code=None, signal=signal.SIGSEGV)
GAVE_UP = replace(FINE, exit_code=3)


def seen(run: Run | None = FINE, checked: Checked | None = YES, **more: object) -> Evidence:
    return replace(Evidence(limits=LIMITS, run=run, checked=checked), **more)


@pytest.mark.parametrize(
    ("evidence", "verdict", "message"),
    [
        (seen(our_fault="disk full"), Verdict.SYSTEM_ERROR, "disk full"),
        (seen(problem_fault="checker died"), Verdict.BAD_PROBLEM, "checker died"),
        (seen(FAT), Verdict.MEMORY_LIMIT_EXCEEDED, "More memory than 67108864 bytes."),
        (seen(BUSY), Verdict.TIME_LIMIT_EXCEEDED, "More CPU time than 1 s."),
        (seen(SLEEPY), Verdict.TIME_LIMIT_EXCEEDED, "More wall time than 3 s."),
        (seen(LOUD), Verdict.OUTPUT_LIMIT_EXCEEDED, "More output than 1048576 bytes."),
        (seen(MESSY), Verdict.DISK_LIMIT_EXCEEDED, "More on disk than 4096 bytes in 2 files."),
        (seen(CRASHED), Verdict.RUNTIME_ERROR, "Died of SIGSEGV."),
        (seen(replace(CRASHED, signal=64)), Verdict.RUNTIME_ERROR, "Died of SIGRTMAX."),
        (seen(replace(CRASHED, signal=200)), Verdict.RUNTIME_ERROR, "Died of signal 200."),
        (seen(GAVE_UP), Verdict.RUNTIME_ERROR, "Exit code 3."),
        (seen(checked=NO), Verdict.WRONG_ANSWER, "line 3: 7, not 8"),
        (seen(checked=Checked(0.5, "half right")), Verdict.WRONG_ANSWER, "half right"),
        (seen(leak=LOST), Verdict.MEMORY_LEAK, "48 bytes lost in 2 blocks."),
        (seen(), Verdict.ACCEPTED, ""),
        (seen(checked=Checked(1.0, "in 3 moves")), Verdict.ACCEPTED, "in 3 moves"),
        (seen(run=None), Verdict.ACCEPTED, ""),
    ],
)
def test_each_row(evidence: Evidence, verdict: Verdict, message: str) -> None:
    assert decide(evidence) is verdict
    assert explain(evidence) == message


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        (seen(FAT, our_fault="x", problem_fault="y"), Verdict.SYSTEM_ERROR),
        (seen(FAT, problem_fault="y"), Verdict.BAD_PROBLEM),
        (seen(replace(BUSY, memory_exceeded=True)), Verdict.MEMORY_LIMIT_EXCEEDED),
        (seen(replace(CRASHED, memory_exceeded=True)), Verdict.MEMORY_LIMIT_EXCEEDED),
        (seen(replace(BUSY, output_exceeded=True)), Verdict.TIME_LIMIT_EXCEEDED),
        (seen(replace(BUSY, exit_code=None, signal=9)), Verdict.TIME_LIMIT_EXCEEDED),
        (seen(replace(LOUD, disk_exceeded=True)), Verdict.OUTPUT_LIMIT_EXCEEDED),
        (seen(replace(MESSY, exit_code=None, signal=25)), Verdict.DISK_LIMIT_EXCEEDED),
        (seen(GAVE_UP, NO), Verdict.RUNTIME_ERROR),
        (seen(checked=NO, leak=LOST), Verdict.WRONG_ANSWER),
    ],
)
def test_the_first_row_wins(evidence: Evidence, verdict: Verdict) -> None:
    assert decide(evidence) is verdict


def test_a_run_that_nobody_checked_is_a_fault_of_ours() -> None:
    assert decide(seen(checked=None)) is Verdict.SYSTEM_ERROR
    assert explain(seen(checked=None)) != ""


usages = st.builds(
    Usage,
    cpu_ns=st.integers(0, 2 * SECOND),
    wall_ns=st.integers(0, 6 * SECOND),
    memory_bytes=st.integers(0, 128 * MIB),
    disk_bytes=st.integers(0, 8192),
    files=st.integers(0, 4),
)
ends = st.one_of(
    st.tuples(st.integers(0, 255), st.none()), st.tuples(st.none(), st.integers(1, 64))
)
runs = st.builds(
    lambda usage, end, memory, output, disk: Run(usage, end[0], end[1], memory, output, disk),
    usages,
    ends,
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
evidences = st.builds(
    Evidence,
    limits=st.just(LIMITS),
    run=st.none() | runs,
    checked=st.none() | st.builds(Checked, score=st.floats(0, 1), message=st.text(max_size=8)),
    leak=st.none() | st.just(LOST),
    our_fault=st.sampled_from(["", "ours"]),
    problem_fault=st.sampled_from(["", "the problem's"]),
)  # fmt: skip


@given(evidences)
def test_total_and_never_lenient(evidence: Evidence) -> None:
    verdict = decide(evidence)
    explain(evidence)
    if verdict is Verdict.ACCEPTED:
        assert not evidence.our_fault
        assert not evidence.problem_fault
        assert evidence.leak is None
        assert evidence.checked is not None
        assert evidence.checked.score == 1
        assert evidence.run is None or evidence.run.exit_code == 0


@given(evidences)
def test_our_faults_are_never_charged_to_the_participant(evidence: Evidence) -> None:
    ours = bool(evidence.our_fault or evidence.problem_fault)
    assert not ours or decide(evidence) in {Verdict.SYSTEM_ERROR, Verdict.BAD_PROBLEM}
