"""The file that makes a folder an ICPC package, and the kinds of problem that it names."""

DEFINITION = "problem.yaml"


def named_kinds(said: object) -> set[str]:
    """The words of `type`: a list of them, or one text."""
    return set(map(str, said)) if isinstance(said, list) else set(str(said).split())
