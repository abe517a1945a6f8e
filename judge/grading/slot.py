"""A place where one submission at a time is graded, and the way to stop that grading."""

import contextlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from judge.grading.errors import Cancelled, GradingError
from judge.grading.load import Load, load_now
from sandbox import Box, Command, ExecError, Mount, Report, Runner, SandboxError

_KILL_AGAIN_AFTER = 0.01


class Slot:
    """Owns one runner of the sandbox, pinned to `core` where one is named.

    A runner that failed is replaced before the next box is opened. `load` tells how busy the
    machine has been.
    """

    def __init__(self, core: int | None = None, load: Callable[[], Load] = load_now) -> None:
        self.core = core
        self.load = load
        self._runner: Runner | None = None
        self._shelf: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        if self._shelf is not None:
            self._shelf.cleanup()

    def shelf(self) -> Path:
        """A folder for what is built once and used by many gradings."""
        if self._shelf is None:
            self._shelf = tempfile.TemporaryDirectory(prefix="adjudge-shelf-")
        return Path(self._shelf.name)

    def close(self) -> None:
        """End the runner and all its boxes."""
        if self._runner is not None:
            runner, self._runner = self._runner, None
            with contextlib.suppress(SandboxError):
                runner.close()

    @contextmanager
    def box(self, mounts: Sequence[Mount] = ()) -> Iterator[Box]:
        """A box without a network. GradingError where the sandbox fails; ExecError passes, since
        a program that cannot be executed is its author's."""
        box = self._open(mounts)
        try:
            yield box
        except ExecError:
            raise
        except SandboxError as error:
            self.close()
            raise GradingError(f"sandbox: {error.step}", str(error)) from error
        finally:
            try:
                box.close()
            except SandboxError:
                self.close()  # the end of the runner ends its boxes

    def _open(self, mounts: Sequence[Mount]) -> Box:
        try:
            return self._runner_at_work().open(mounts=mounts)
        except (SandboxError, OSError):
            self.close()  # it may have died since the last submission; a new one gets its chance
        try:
            return self._runner_at_work().open(mounts=mounts)
        except SandboxError as error:
            self.close()
            raise GradingError(f"sandbox: {error.step}", str(error)) from error

    def _runner_at_work(self) -> Runner:
        if self._runner is None:
            self._runner = Runner(core=self.core)
        return self._runner


class Cancel:
    """Ends a grading from another thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._cancelled = False
        self._boxes: set[Box] = set()

    def cancel(self) -> None:
        """End the grading at once: what runs is killed, and `grade` raises Cancelled."""
        with self._changed:
            self._cancelled = True
            while self._boxes:
                # A run may not have begun when the first kill arrives, so ask until it is over.
                for box in self._boxes:
                    box.kill()
                self._changed.wait(_KILL_AGAIN_AFTER)

    def check(self) -> None:
        """Cancelled where `cancel` has been called."""
        if self._cancelled:
            raise Cancelled

    def run(self, box: Box, command: Command, release: Iterable[int] = ()) -> Report:
        """`box.run`, but `cancel` ends it. Cancelled, or SandboxError.

        The descriptors in `release` are ours no more: they are closed once the box has its own.
        """
        try:
            with self._changed:
                self.check()
                self._boxes.add(box)
            box.start(command)
        except BaseException:
            self._forget(box)
            raise
        finally:
            for descriptor in release:
                os.close(descriptor)
        try:
            report = box.wait()
        finally:
            self._forget(box)
        self.check()
        return report

    def _forget(self, box: Box) -> None:
        with self._changed:
            self._boxes.discard(box)
            self._changed.notify_all()
