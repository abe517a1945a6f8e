"""Submissions: admitted, read, listed."""

from dataclasses import dataclass

from sqlalchemy import bindparam, func, insert, update
from sqlmodel import Session, col, select

from judge.model import State, Verdict
from judge.store import caps, events, problems, workers
from judge.store.columns import clean
from judge.store.database import Database
from judge.store.errors import NotFound, QueueFull, Refused
from judge.store.settling import locked_submission, settle
from judge.store.tables import (
    Entry,
    Judging,
    Priority,
    Problem,
    SourceText,
    Submission,
    User,
)

PAGE = 15
_RETRY_AFTER_S = 10

_VIEWS = (
    select(Submission, User, Problem, Judging)
    .join(User, col(User.id) == Submission.user_id)
    .join(Problem, col(Problem.id) == Submission.problem_id)
    .join(Judging, col(Judging.id) == Submission.judging_id)
)
_ENTRY = select(Entry).where(col(Entry.id) == bindparam("entry"))
_VIEW = _VIEWS.where(col(Submission.id) == bindparam("submission"))
_ADD = {table: insert(table).returning(col(table.id)) for table in (Submission, Judging)}
_ADD_TEXT = insert(SourceText)
_POINT = update(Submission).where(col(Submission.id) == bindparam("submission"))
_TURN = select(User.id).where(User.id == bindparam("user")).with_for_update(key_share=True)
_WAITING = select(func.count()).select_from(Judging).where(Judging.state == State.PENDING)


@dataclass(frozen=True, slots=True)
class Text:
    """Source that was handed in as a text."""

    text: bytes


@dataclass(frozen=True, slots=True)
class Commit:
    """Source that is a commit. `repository` is a folder under <home>/git (`user/name.git`), `url`
    what the participant wrote, without secrets."""

    repository: str
    commit: str
    url: str


@dataclass(frozen=True, slots=True)
class View:
    """A submission with what belongs to it. `judging` is the one that counts: the newest finished
    one, or the first while none is. `entry` is the cap and policy it was admitted under."""

    submission: Submission
    user: User
    problem: Problem
    judging: Judging
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Submissions, the newest first; `next` is the id that the next page begins with."""

    views: tuple[View, ...]
    next: int | None


def admit(
    db: Database,
    user: User,
    problem: Problem,
    language: str,
    source: Text | Commit,
    *,
    public: bool = False,
    idempotency_key: str | None = None,
    queue_limit: int | None = None,
) -> tuple[Submission, Judging]:
    """Takes a submission in: cap checked, submission and first judging written, in one transaction.

    The caller then rings for the judging (`work.Bell.ring`). With an `idempotency_key` that the
    user sent before, the submission of that time is returned and nothing is written. `queue_limit`
    is how many judgings may wait. Raises CapReached, QueueFull, or Refused with the reason.
    """
    _refuse_unfit(problem, language, source)
    with db.write() as session:
        if not db.is_sqlite:  # there the transaction is the only writer already
            _wait_for_turn(session, user)
        if idempotency_key is not None:
            earlier = _earlier(session, user, problem, language, source, idempotency_key)
            if earlier is not None:
                return earlier
        current = problems.get_in(session, problem.id)
        _refuse_unoffered(session, current, language)
        entry = problems.entry_of(session, problem.id)
        if entry is not None:
            caps.take(session, user.id, entry)
        if queue_limit is not None:
            _refuse_full_queue(session, queue_limit)
        submission = Submission(
            user_id=user.id,
            problem_id=problem.id,
            entry_id=entry.id if entry else None,
            language=language,
            url=clean(source.url, 2000) if isinstance(source, Commit) else None,
            repository=source.repository if isinstance(source, Commit) else None,
            commit=source.commit if isinstance(source, Commit) else None,
            public=public,
            idempotency_key=idempotency_key,
        )
        _add(session, submission)
        run = session.connection().execute
        if isinstance(source, Text):
            run(_ADD_TEXT, {"submission_id": submission.id, "text": source.text})
        judging = Judging(
            submission_id=submission.id,
            generation=1,
            priority=Priority.INTERACTIVE,
            package=current.package,
            worker_group=current.worker_group,
        )
        _add(session, judging)
        submission.judging_id = judging.id
        run(_POINT, {"submission": submission.id, "judging_id": judging.id})
        return submission, judging


def _add(session: Session, row: Submission | Judging) -> None:
    """Inserts a row, and gives it its id. A session that keeps books on it would take as long again
    as all else that an admission does."""
    values = row.model_dump(exclude={"id"})
    row.id = session.connection().execute(_ADD[type(row)], values).scalar_one()


def _refuse_unfit(problem: Problem, language: str, source: Text | Commit) -> None:
    if language not in problem.languages:
        offered = ", ".join(problem.languages) or "none yet"
        raise Refused(
            f"problem {problem.id} does not take the language {language!r}; it takes: {offered}"
        )
    if isinstance(source, Commit) != (language == "git"):
        raise Refused("the language git takes a repository, every other language takes a text")
    if isinstance(source, Text) and len(source.text) > problem.source_bytes:
        raise Refused(
            f"the source has {len(source.text)} bytes; problem {problem.id} takes at most"
            f" {problem.source_bytes}"
        )


def _refuse_unoffered(session: Session, problem: Problem, language: str) -> None:
    """What no worker can judge would wait for ever. Where there is no worker, one may come yet."""
    offered = workers.languages(session, problem.worker_group)
    if offered is not None and language not in offered:
        able = ", ".join(known for known in problem.languages if known in offered) or "none"
        raise Refused(
            f"no worker of this judge offers the language {language!r} at present; of those that"
            f" problem {problem.id} takes there are: {able}"
        )


def _wait_for_turn(session: Session, user: User) -> None:
    """Lets a user's admissions happen one after the other, by a lock on the user's row."""
    session.exec(_TURN, params={"user": user.id}).one()


def _earlier(
    session: Session,
    user: User,
    problem: Problem,
    language: str,
    source: Text | Commit,
    key: str,
) -> tuple[Submission, Judging] | None:
    """What was submitted under the key before. Refused where that was something else: whoever sends
    it would take the old verdict for that of the new program."""
    found = session.exec(
        select(Submission, Judging)
        .join(Judging, col(Judging.submission_id) == Submission.id)
        .where(
            Submission.user_id == user.id,
            Submission.idempotency_key == key,
            Judging.generation == 1,
        )
    ).first()
    if found is None:
        return None
    submission, judging = found
    if submission.problem_id != problem.id:
        raise Refused(
            f"the idempotency key was used for submission {submission.id} to another problem"
        )
    if language != submission.language or not _is_source(session, submission, source):
        raise Refused(f"the idempotency key was used for submission {submission.id} of other code")
    return submission, judging


def _is_source(session: Session, submission: Submission, source: Text | Commit) -> bool:
    """Of a repository the URL is looked at: its branch may have moved since it was sent first."""
    if isinstance(source, Commit):
        return submission.url == clean(source.url, 2000)
    kept = session.get(SourceText, submission.id)
    return kept is not None and kept.text == source.text


def _refuse_full_queue(session: Session, limit: int) -> None:
    waiting = session.exec(_WAITING).one()
    if waiting >= limit:
        raise QueueFull(waiting, _RETRY_AFTER_S)


def get(db: Database, submission_id: int) -> View:
    """The submission of that id with what belongs to it. Raises NotFound."""
    with db.read() as session:
        found = session.exec(_VIEW, params={"submission": submission_id}).first()
        if found is None:
            raise NotFound(f"there is no submission {submission_id}")
        entry_id = found[0].entry_id
        entry = session.exec(_ENTRY, params={"entry": entry_id}).one() if entry_id else None
    return View(*found, entry=entry)


def page(
    db: Database,
    *,
    user_id: int | None = None,
    username: str = "",
    problem_id: int | None = None,
    status: str = "",
    language: str = "",
    problems_only: list[int] | None = None,
    cursor: int | None = None,
    size: int = PAGE,
) -> Page:
    """Submissions, the newest first, from `cursor` (an id) on. Empty filters are ignored, unknown
    values find nothing. `user_id` and `problems_only` bound what the caller may see."""
    query = _VIEWS.order_by(col(Submission.id).desc()).limit(size + 1)
    if user_id is not None:
        query = query.where(Submission.user_id == user_id)
    if username:
        # Equality, not IN: a list of users would have to be sorted, one user's rows are in order.
        named = select(User.id).where(User.name == clean(username).lower()).scalar_subquery()
        query = query.where(col(Submission.user_id) == named)
    if problem_id is not None:
        query = query.where(Submission.problem_id == problem_id)
    if problems_only is not None:
        query = query.where(col(Submission.problem_id).in_(problems_only))
    if status:
        query = query.where(Submission.status == clean(status))
    if language:
        query = query.where(Submission.language == clean(language))
    if cursor is not None:
        query = query.where(Submission.id <= cursor)
    with db.read() as session:
        found = session.exec(query).all()
    views = tuple(View(*row) for row in found)
    return Page(views[:size], views[size].submission.id if len(views) > size else None)


def text(db: Database, submission_id: int) -> bytes | None:
    """The source text; None where the submission is a commit."""
    with db.read() as session:
        found = session.get(SourceText, submission_id)
    return None if found is None else found.text


def judgings(db: Database, submission_id: int) -> list[Judging]:
    """Every judging of a submission, the newest last."""
    query = (
        select(Judging)
        .where(Judging.submission_id == submission_id)
        .order_by(col(Judging.generation))
    )
    with db.read() as session:
        return list(session.exec(query))


def void(db: Database, submission_id: int, reason: str, actor: User | None) -> None:
    """Lets a submission count for nothing, for good: it spends no slot, and has no score. What is
    being judged of it ends. Raises NotFound."""
    with db.write() as session:
        submission = locked_submission(session, submission_id)
        if submission is None:
            raise NotFound(f"there is no submission {submission_id}")
        live = select(Judging).where(
            Judging.submission_id == submission_id, Judging.state != State.FINISHED
        )
        for judging in session.exec(live.with_for_update()).all():
            settle(session, judging, Verdict.VOID, message=reason)
        submission.status = Verdict.VOID.value
        submission.charged = False
        session.add(submission)
        events.write(session, actor, "void", "submission", submission_id, reason=clean(reason))
