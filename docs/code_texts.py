"""Finds texts in the source without running it: what an expression may be, through names and calls."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

MOST = 400
"""More forms than this of one text are a sign that something is followed that should not be."""
NUMBERED = frozenset(",fge%d")


class Source:
    """One file: its tables, functions, and who calls them."""

    def __init__(self, text: str) -> None:
        """Read it.

        Args:
            text: The source.
        """
        self.tree = ast.parse(text)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.constants: dict[str, ast.expr] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.constants[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                self.constants[node.target.id] = node.value
        self.functions = {
            node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)
        }
        self._busy: list[tuple[int, object]] = []
        self._within: dict[ast.AST, list[ast.AST]] = {}
        self._calls: dict[str, list[ast.Call]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                self._calls.setdefault(called(node), []).append(node)

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """Yield the calls of functions or methods of these names."""
        for name in names:
            yield from self._calls.get(name, ())

    def _inside(self, scope: ast.AST) -> list[ast.AST]:
        """Everything within a function, walked through once."""
        if scope not in self._within:
            self._within[scope] = list(ast.walk(scope))
        return self._within[scope]

    def keywords(self, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """Yield the keyword arguments of a call, those of a dictionary with two stars too."""
        for word in call.keywords:
            if word.arg:
                yield word.arg, word.value
                continue
            for known in self._literal(word.value):
                if isinstance(known, ast.Dict):
                    yield from (
                        (str(getattr(key, "value", "")), value)
                        for key, value in zip(known.keys, known.values, strict=True)
                    )

    def returned(self, name: str) -> Iterator[ast.expr]:
        """Yield what a function returns or yields, and the values of tables it returns."""
        for node in ast.walk(self.functions[name]):
            if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
                yield node.value
                if isinstance(node.value, ast.Dict):
                    yield from node.value.values
                elif isinstance(node.value, ast.DictComp):
                    yield node.value.value
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                yield node.value

    def texts(self, node: ast.expr | None) -> set[str]:
        """Return the texts an expression may be; empty where nothing is known of it."""
        if node is None:
            return set()
        key = (id(node), "texts")
        if key in self._busy:
            return set()
        self._busy.append(key)
        try:
            return set(itertools.islice(self._texts(node), MOST))
        finally:
            self._busy.pop()

    def _texts(self, node: ast.expr) -> Iterator[str]:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield from self._joined(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield from map("".join, itertools.product(self.texts(node.left), self.texts(node.right)))
        else:
            for inner in self.alternatives(node):
                yield from self.texts(inner)

    def _joined(self, node: ast.JoinedStr) -> Iterator[str]:
        parts: list[set[str]] = []
        seen: dict[str, int] = {}
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append({str(part.value)})
            elif isinstance(part, ast.FormattedValue):
                known = self.texts(part.value)
                parts.append(known or {_field(part, seen)})
        yield from map("".join, itertools.product(*parts))

    def alternatives(self, node: ast.expr) -> Iterator[ast.expr]:
        """Yield the expressions that may stand for another one."""
        if isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)
        elif isinstance(node, ast.BoolOp):
            yield from node.values
        elif isinstance(node, ast.Name):
            yield from self._bound(node)
        elif isinstance(node, ast.Subscript):
            yield from self._picked(node.value, node.slice)
        elif isinstance(node, ast.Call):
            yield from self._returned(node)

    def _returned(self, node: ast.Call) -> Iterator[ast.expr]:
        name = called(node)
        if name == "get" and isinstance(node.func, ast.Attribute):
            yield from self._picked(node.func.value, None)
            yield from node.args[1:]
        elif name == "counted" and len(node.args) > 1 and "counted" not in self.functions:
            many = node.args[2:]
            yield from (ast.Constant(f"{{number:,}} {noun}") for noun in sorted(self.texts(node.args[1])))
            plain = self.texts(many[0]) if many else {f"{noun}s" for noun in self.texts(node.args[1])}
            yield from (ast.Constant(f"{{number:,}} {noun}") for noun in sorted(plain))
        elif name in ("join", "replace") and isinstance(node.func, ast.Attribute) and node.args:
            if name == "join":
                yield from self.elements(node.args[0])
            else:
                yield node.func.value
        elif isinstance(node.func, ast.Name) and name in self.functions:
            for inner in self._inside(self.functions[name]):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield inner.value

    def _picked(self, table: ast.expr, place: ast.expr | None) -> Iterator[ast.expr]:
        """What a subscript may be: any value of a mapping, an item of a tuple."""
        for known in self._literal(table):
            if isinstance(known, ast.Dict):
                yield from known.values
            elif isinstance(known, ast.Tuple | ast.List):
                if isinstance(place, ast.Constant) and isinstance(place.value, int):
                    yield from known.elts[place.value : place.value + 1]
                else:
                    yield from known.elts

    def _literal(self, node: ast.expr) -> Iterator[ast.expr]:
        """Follow names until a table stands there."""
        key = (id(node), "literal")
        if key in self._busy:
            return
        self._busy.append(key)
        try:
            if isinstance(node, ast.Dict | ast.Tuple | ast.List | ast.JoinedStr | ast.Constant):
                yield node
            else:
                for inner in list(self.alternatives(node)):
                    yield from self._literal(inner)
        finally:
            self._busy.pop()

    def elements(self, node: ast.expr) -> Iterator[ast.expr]:
        """Yield what a loop over an expression goes through."""
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            yield node.elt
            return
        if isinstance(node, ast.Call) and called(node) == "items" and isinstance(node.func, ast.Attribute):
            for known in self._literal(node.func.value):
                if isinstance(known, ast.Dict):
                    for key, value in zip(known.keys, known.values, strict=True):
                        yield ast.Tuple([key or ast.Constant(None), value])
            return
        for known in self._literal(node):
            for item in known.elts if isinstance(known, ast.Tuple | ast.List) else ():
                yield from self.elements(item.value) if isinstance(item, ast.Starred) else (item,)

    def scope(self, node: ast.AST) -> ast.AST:
        """Return the function that a node stands in, else the module."""
        while node in self.parent:
            node = self.parent[node]
            if isinstance(node, ast.FunctionDef):
                return node
        return self.tree

    def _bound(self, name: ast.Name) -> Iterator[ast.expr]:
        """What a name may stand for: in its comprehension, its function, its file."""
        found = list(self._in_comprehension(name)) or list(self._in_function(name))
        if found:
            yield from found
        elif name.id in self.constants:
            yield self.constants[name.id]

    def _in_comprehension(self, name: ast.Name) -> Iterator[ast.expr]:
        node: ast.AST = name
        while node in self.parent and not isinstance(node, ast.FunctionDef):
            node = self.parent[node]
            for loop in getattr(node, "generators", ()):
                yield from self._unpacked(loop.target, self.elements(loop.iter), name.id)

    def _in_function(self, name: ast.Name) -> Iterator[ast.expr]:
        scope = self.scope(name)
        for node in self._inside(scope):
            if isinstance(node, ast.AnnAssign) and node.value is not None:
                yield from self._unpacked(node.target, iter((node.value,)), name.id)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    yield from self._unpacked(target, iter((node.value,)), name.id)
            elif isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == name.id:
                yield from (ast.BinOp(v, ast.Add(), node.value) for v in self._plain(scope, name.id))
            elif isinstance(node, ast.For):
                yield from self._unpacked(node.target, self.elements(node.iter), name.id)
        if isinstance(scope, ast.FunctionDef):
            yield from self._given(scope, name.id)

    def _plain(self, scope: ast.AST, name: str) -> Iterator[ast.expr]:
        """What is assigned to a name before anything is added to it."""
        for node in self._inside(scope):
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(target, ast.Name) and target.id == name:
                yield node.value

    def _unpacked(self, target: ast.expr, values: Iterator[ast.expr], name: str) -> Iterator[ast.expr]:
        if isinstance(target, ast.Name):
            if target.id == name:
                yield from values
            return
        if not isinstance(target, ast.Tuple):
            return
        places = [at for at, item in enumerate(target.elts) if isinstance(item, ast.Name) and item.id == name]
        if not places:
            return
        for value in values:
            for known in self._tuples(value):
                if len(known.elts) == len(target.elts):
                    yield known.elts[places[0]]

    def _tuples(self, node: ast.expr) -> Iterator[ast.Tuple]:
        if isinstance(node, ast.Call) and called(node) == "next" and node.args:
            for item in self.elements(node.args[0]):
                yield from self._tuples(item)
            return
        for known in self._literal(node):
            if isinstance(known, ast.Tuple):
                yield known

    def _given(self, function: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
        """What callers of a function of the same file put in for a parameter, and its default."""
        args = [*function.args.posonlyargs, *function.args.args]
        names = [arg.arg for arg in args]
        defaults = dict(zip(names[::-1], function.args.defaults[::-1], strict=False))
        if name in defaults:
            yield defaults[name]
        for call in self.calls(function.name):
            shift = 1 if names[:1] == ["self"] else 0
            place = names.index(name) - shift if name in names else -1
            if 0 <= place < len(call.args):
                yield call.args[place]
            yield from (word.value for word in call.keywords if word.arg == name)


def called(node: ast.Call) -> str:
    """Return the last name of what is called."""
    return str(getattr(node.func, "id", None) or getattr(node.func, "attr", ""))


def _field(part: ast.FormattedValue, seen: dict[str, int]) -> str:
    """Name a field after what stands in it: ``{call}`` for ``{who.call(port)}``."""
    node: ast.AST = part.value
    while True:
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.BinOp | ast.Compare):
            node = node.left
        else:
            break
    name = getattr(node, "attr", None) or getattr(node, "id", None) or "value"
    name = name.strip("_").lower()
    seen[name] = seen.get(name, 0) + 1
    spec = "".join(
        str(piece.value)
        for piece in getattr(part.format_spec, "values", ())
        if isinstance(piece, ast.Constant)
    )
    numbered = f"{name}{seen[name]}" if seen[name] > 1 else name
    return f"{{{numbered}:{spec}}}" if spec and spec[-1] in NUMBERED else f"{{{numbered}}}"
