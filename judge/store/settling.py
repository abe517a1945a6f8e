"""How a judging ends, and which judging of a submission counts."""

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from judge.model import State, Usage, Verdict
from judge.model.score import is_charged
from judge.store.columns import clean
from judge.store.tables import Judging, Submission, utc_now

_LOCKED = select(Submission).where(col(Submission.id) == bindparam("submission")).with_for_update()


def settle(
    session: Session,
    judging: Judging,
    verdict: Verdict,
    *,
    score: float = 0.0,
    message: str = "",
    usage: Usage | None = None,
    charged: bool | None = None,
) -> None:
    """Ends a judging, takes its lease away, and lets its submission show it if it counts."""
    judging.state = State.FINISHED
    judging.verdict = verdict
    judging.score = score
    judging.message = clean(message)
    if usage is not None:
        judging.cpu_ns = usage.cpu_ns
        judging.wall_ns = usage.wall_ns
        judging.memory_bytes = usage.memory_bytes
        judging.disk_bytes = usage.disk_bytes
        judging.files = usage.files
    judging.lease_owner = judging.lease_token = judging.lease_expires = None
    judging.finished_at = utc_now()
    session.add(judging)
    session.flush()
    if judging.counts:
        count(session, judging, charged)


def count(session: Session, judging: Judging, charged: bool | None = None) -> None:
    """Lets the submission show a finished judging, unless a newer one that is finished counts
    already, or it is void. A fault of ours does not replace a result.

    `charged`: whether it spends a slot, by default what its verdict says. A submission that was set
    free stays free (see caps.py).
    """
    submission = locked_submission(session, judging.submission_id)
    if submission is None or judging.verdict is None or submission.status == Verdict.VOID:
        return
    shown = session.get_one(Judging, submission.judging_id)
    is_result = shown.id != judging.id and shown.state is State.FINISHED
    is_newer = shown.generation > judging.generation
    if is_result and (is_newer or judging.verdict is Verdict.SYSTEM_ERROR):
        return
    submission.judging_id = judging.id
    submission.status = judging.status
    if charged is None:
        charged = is_charged(judging.verdict)
    submission.charged = submission.charged and charged
    session.add(submission)
    session.flush()


def locked_submission(session: Session, submission_id: int) -> Submission | None:
    """The submission, locked until the transaction ends; None where there is none."""
    return session.exec(_LOCKED, params={"submission": submission_id}).first()
