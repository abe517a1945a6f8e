"""What is wrong with a package: where, and why."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: in which file, at which key ("" for the whole file), and the reason.

    A warning does not keep a package from being served.
    """

    file: Path
    key: str
    reason: str
    is_warning: bool = False

    def __str__(self) -> str:
        place = f"{self.file}: {self.key}" if self.key else str(self.file)
        return f"{place}: {self.reason}"


class PackageError(Exception):
    """A package that cannot be served. `faults` holds all that was found, at least one."""

    def __init__(self, first: Fault, *more: Fault) -> None:
        self.faults = (first, *more)
        super().__init__(*self.faults)

    @property
    def file(self) -> Path:
        """The file of the first fault."""
        return self.faults[0].file

    @property
    def key(self) -> str:
        """The key of the first fault."""
        return self.faults[0].key

    @property
    def reason(self) -> str:
        """The reason of the first fault."""
        return self.faults[0].reason

    def __str__(self) -> str:
        more = len(self.faults) - 1
        rest = f" (and {more} more fault{'s' if more > 1 else ''})" if more else ""
        return f"{self.faults[0]}{rest}"


class Faults:
    """Collects the faults of a package, so that its author hears of all of them at once."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, file: Path, key: str, reason: str) -> None:
        """Note one more fault."""
        self.found.append(Fault(file, key, reason))

    def warn(self, file: Path, key: str, reason: str) -> None:
        """Note something odd that keeps nobody from using the package."""
        self.found.append(Fault(file, key, reason, is_warning=True))

    def raise_any(self) -> None:
        """PackageError where anything worse than a warning was found."""
        errors = [fault for fault in self.found if not fault.is_warning]
        if errors:
            raise PackageError(*errors)
