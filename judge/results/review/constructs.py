"""Which forbidden names C++ code uses, by its syntax tree; strings and comments do not count."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from judge.results.review.unit import Line

_CPP = Language(tree_sitter_cpp.language())
_NAMES = frozenset({"identifier", "type_identifier", "namespace_identifier"})
_QUALIFIED = frozenset({"qualified_identifier", "nested_namespace_specifier"})


@dataclass(frozen=True, slots=True)
class Use:
    """A name that is used, and where."""

    name: str
    file: str
    line: int


def uses(lines: Sequence[Line], names: Sequence[str]) -> list[Use]:
    """Each use of a forbidden name in a unit's own lines, in their order.

    "std::vector" is used by that name, through a namespace alias, and plainly where the unit opens
    the namespace std and no scope around the name declares a `vector` of its own. "malloc" is used
    by every plain or `std::` name that is not a member's and not the unit's own. The time depends
    on the text: bound it.
    """
    tree = Parser(_CPP).parse("\n".join(line.text for line in lines).encode("utf-8", "replace"))
    unit = _Unit(tree.root_node)
    wanted = {_parts(name): name for name in names}
    found = []
    for node, parts in unit.mentions():
        for forbidden, name in wanted.items():
            if unit.means(node, parts, forbidden):
                place = lines[node.start_point.row]
                found.append(Use(name, place.file, place.line))
                break
    return found


Parts = tuple[str, ...]


class _Unit:
    """A parsed unit with what it says about names: aliases, opened namespaces, and which names are
    declared in which scope."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.aliases: dict[str, Parts] = {}
        self.opened: set[Parts] = set()
        self.declared: defaultdict[Parts, set[str]] = defaultdict(set)
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
            case "namespace_definition":
                # Who writes into namespace std uses its names plainly there.
                self.opened.add(_scope_name(node))
            case "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier":
                if node.child_by_field_name("body") is not None and _scope_name(node):
                    self.declared[_scope(node)].add(_scope_name(node)[-1])
            case "function_declarator":
                # A function that is declared and not defined here is the library's.
                name = node.child_by_field_name("declarator")
                if name is not None and (_is_defined(node) or name.type == "field_identifier"):
                    self.declared[_scope(node)].add(_text(name))

    def mentions(self) -> Iterator[tuple[Node, Parts]]:
        """Every name as it is written, the longest form of each."""
        for node in _walk(self.root):
            if node.type not in _NAMES | _QUALIFIED:
                continue
            parent = node.parent
            if parent is not None and parent.type in _QUALIFIED:
                continue
            parts = _qualified(node) if node.type in _QUALIFIED else (_text(node),)
            if parts:
                yield node, self._resolve(parts)

    def means(self, node: Node, parts: Parts, forbidden: Parts) -> bool:
        """Whether a name as it is written there means the forbidden one."""
        if parts[: len(forbidden)] == forbidden:
            return len(parts) > 1 or not self._is_own(node, parts[0])
        if len(forbidden) == 1:
            return parts == ("std", *forbidden)
        *scope, last = forbidden
        return parts[0] == last and tuple(scope) in self.opened and not self._is_own(node, last)

    def _is_own(self, node: Node, name: str) -> bool:
        """Whether a scope around a plain name declares it (so that it hides others)."""
        scope = _scope(node)
        around = (scope[:length] for length in range(len(scope) + 1))
        return name in scope or any(name in self.declared[one] for one in around)

    def _resolve(self, parts: Parts) -> Parts:
        for _ in range(len(self.aliases)):
            if parts[0] not in self.aliases:
                break
            parts = (*self.aliases[parts[0]], *parts[1:])
        return parts


_SCOPES = frozenset(
    {"namespace_definition", "class_specifier", "struct_specifier", "union_specifier"}
)


def _scope(node: Node) -> Parts:
    """The names of the namespaces and classes around a node, outermost first; a member that is
    defined outside of its class is within it."""
    parts: list[str] = []
    current = node.parent
    while current is not None:
        if current.type in _SCOPES:
            parts[:0] = _scope_name(current)
        elif current.type == "function_definition":
            parts[:0] = _member_of(current)
        current = current.parent
    return tuple(parts)


def _scope_name(node: Node) -> Parts:
    name = node.child_by_field_name("name")
    if name is None:
        return ()
    return _qualified(name) if name.type in _QUALIFIED else _parts(_head(name))


def _is_defined(declarator: Node) -> bool:
    """Whether the function has its body here (`void* f() {}` has a pointer declarator between)."""
    around = declarator.parent
    while around is not None and around.type.endswith("_declarator"):
        around = around.parent
    return around is not None and around.type == "function_definition"


def _member_of(function: Node) -> Parts:
    """`sjtu::vector` of `void sjtu::vector<T>::clear() {...}`."""
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type not in _QUALIFIED:
        declarator = declarator.child_by_field_name("declarator")
    return _qualified(declarator)[:-1] if declarator is not None else ()


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
