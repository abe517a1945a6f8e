"""The groups of a native package."""

from judge.model import Aggregation, Group
from judge.packages.fields import Fields
from judge.packages.native_ids import read_ids


def read_groups(fields: Fields) -> tuple[Group, ...]:
    """The list `group`, of which there must be one at least."""
    tables = fields.tables("group")
    if not tables:
        fields.fault("group", "there must be at least one [[group]]")
    read: list[tuple[Fields, Group]] = []
    groups = tuple(_group(table, str(number), read) for number, table in enumerate(tables, start=1))
    known = {test for group in groups for test in group.tests}
    for table, group in read:
        for test in group.requires:
            if test not in known:
                table.fault("requires", f'there is no test "{test}"')
    return groups


def _group(fields: Fields, id_: str, read: list[tuple[Fields, Group]]) -> Group:
    """One group; it and its parts are added to `read`, each with its table."""
    tables = fields.tables("part")
    parts = tuple(_group(table, f"{id_}.{n}", read) for n, table in enumerate(tables, start=1))
    own = read_ids(fields) if "tests" in fields or not parts else ()
    tests = [*own, *(test for part in parts for test in part.tests)]
    for test in sorted({test for test in tests if tests.count(test) > 1} if parts else ()):
        fields.fault("part", f"test {test} is twice in the group")
    group = Group(
        id=id_,
        name=fields.text("name", f"Group {id_}"),
        points=fields.number("points"),
        tests=tuple(dict.fromkeys(tests)),
        aggregation=fields.word("aggregation", Aggregation, Aggregation.MIN),
        parts=parts,
        requires=fields.texts("requires", ()),
        rejected=fields.number("rejected", 0),
    )
    if group.each < 0:
        fields.fault("points", "are fewer than those of the parts, which add up")
    fields.close()
    read.append((fields, group))
    return group
