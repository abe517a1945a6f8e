"""Which forbidden names C++ code uses, by its syntax tree; strings and comments do not count."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from judge.results.review.preprocessor import Line

_CPP = Language(tree_sitter_cpp.language())
_NAMES = frozenset({"identifier", "type_identifier", "namespace_identifier"})
_QUALIFIED = frozenset({"qualified_identifier", "nested_namespace_specifier"})


@dataclass(frozen=True, slots=True)
class Use:
    """A name that is used, and where."""

    name: str
    file: str
    line: int


def uses(lines: Sequence[Line], names: Sequence[str]) -> Iterator[Use]:
    """Each use of a forbidden name in a unit's own lines, in their order.

    "std::vector" is used by that name, through a namespace alias, and plainly where the unit says
    `using namespace std` and declares no `vector` itself. "malloc" is used by every plain or
    `std::` name that is not a member's.
    """
    tree = Parser(_CPP).parse("\n".join(line.text for line in lines).encode("utf-8", "replace"))
    unit = _Unit(tree.root_node)
    wanted = {_parts(name): name for name in names}
    for node, parts in unit.mentions():
        for forbidden, name in wanted.items():
            if unit.means(parts, forbidden):
                place = lines[node.start_point.row]
                yield Use(name, place.file, place.line)
                break


Parts = tuple[str, ...]


class _Unit:
    """A parsed unit with what it says about names: aliases, using directives, declarations."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.aliases: dict[str, Parts] = {}
        self.opened: set[Parts] = set()
        self.declared: set[str] = set()
        for node in _walk(root):
            self._note(node)

    def _note(self, node: Node) -> None:
        match node.type:
            case "namespace_alias_definition":
                named = [_parts(_text(child)) for child in node.named_children]
                if len(named) == 2 and len(named[0]) == 1:
                    self.aliases[named[0][0]] = named[1]
            case "using_declaration" if any(child.type == "namespace" for child in node.children):
                self.opened.update(_parts(_text(child)) for child in node.named_children)
            case "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier":
                name = node.child_by_field_name("name")
                if name is not None and node.child_by_field_name("body") is not None:
                    self.declared.add(_parts(_text(name))[-1])
            case "function_declarator":
                name = node.child_by_field_name("declarator")
                if name is not None and name.type == "identifier":
                    self.declared.add(_text(name))

    def mentions(self) -> Iterator[tuple[Node, Parts]]:
        """Every name as it is written, the longest form of each."""
        for node in _walk(self.root):
            if node.type not in _NAMES | _QUALIFIED:
                continue
            parent = node.parent
            if parent is not None and parent.type in _QUALIFIED:
                continue
            if node.type in _QUALIFIED:
                # `std::vector<std::list<int>>` mentions two names.
                yield node, self._resolve(_qualified(node))
            else:
                yield node, self._resolve((_text(node),))

    def means(self, parts: Parts, forbidden: Parts) -> bool:
        """Whether a name as it is written means the forbidden one."""
        if len(forbidden) == 1:
            return parts in (forbidden, ("std", *forbidden)) and not (
                len(parts) == 1 and parts[0] in self.declared
            )
        if parts[: len(forbidden)] == forbidden:
            return True
        scope, last = forbidden[:-1], forbidden[-1]
        return parts[:1] == (last,) and scope in self.opened and last not in self.declared

    def _resolve(self, parts: Parts) -> Parts:
        for _ in range(len(self.aliases)):
            if parts[0] not in self.aliases:
                break
            parts = (*self.aliases[parts[0]], *parts[1:])
        return parts


def _walk(root: Node) -> Iterator[Node]:
    """Every node, in the order of the text; without recursion, for trees of hostile depth."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def _qualified(node: Node) -> Parts:
    """The names of a qualified one, template arguments left out."""
    parts: list[str] = []
    current: Node | None = node
    while current is not None and current.type in _QUALIFIED:
        scope = current.child_by_field_name("scope")
        if scope is not None:
            parts.append(_head(scope))
        current = current.child_by_field_name("name")
    if current is not None:
        parts.append(_head(current))
    return tuple(part for part in parts if part)


def _head(node: Node) -> str:
    if node.type in ("template_type", "template_function"):
        name = node.child_by_field_name("name")
        return _text(name) if name is not None else ""
    return _text(node)


def _parts(name: str) -> Parts:
    return tuple(part.strip() for part in name.split("::") if part.strip())


def _text(node: Node) -> str:
    return "" if node.text is None else node.text.decode("utf-8", "replace")
