"""Checks of source text by ``ast``: who imports whom, what stays outside, what has no docstring."""

from __future__ import annotations

import ast
import sys

OWN = "ibforensic"

CHAIN = ("model", "parsers", "capture", "snapshot", "diff", "evidence", "inventory", "verdict")
LOWER: dict[str, set[str]] = {
    "": set(),
    **{layer: set(CHAIN[:place]) for place, layer in enumerate(CHAIN)},
    "ladder": {"model"},
    "language": {"model"},
    "report": {"model", "language"},
    "simulate": {"model"},
    "collect": {"model", "capture"},
    "climb": {*CHAIN, "ladder"},
    "pipeline": {*CHAIN, "ladder", "climb", "language", "report", "simulate", "collect"},
    "cli": {*CHAIN, "ladder", "language", "report", "simulate", "collect", "pipeline"},
    "__main__": {"cli"},
}
"""Layer → layers it may import besides itself. The empty name is the package's own ``__init__``."""

TABLES = {"pyarrow"}
FRAMES = {*TABLES, "numpy", "pandas"}
THIRD_PARTY: dict[str, set[str]] = {
    **dict.fromkeys(("model", "parsers", "capture", "snapshot", "simulate", "ladder"), TABLES),
    **dict.fromkeys(("diff", "evidence", "inventory", "verdict", "climb", "pipeline"), FRAMES),
    "diff/settings.py": {*FRAMES, "deepdiff"},
    "evidence/surprise.py": {*FRAMES, "scipy"},
    "verdict/shared.py": {*FRAMES, "scipy"},
    "report": {"jinja2", "markupsafe"},
    "report/terminal.py": {"rich"},
    "report/tables.py": FRAMES,
    "report/workbook.py": {"xlsxwriter"},
    "cli": {*FRAMES, "click", "rich"},
}
"""File or layer → packages from outside that it may import; a file's own entry wins."""

IMPURE_LAYERS = {"cli", "collect", "__main__"}
IMPURE = {
    "print": "printing",
    "input": "reading the terminal",
    "exit": "exit",
    "quit": "exit",
    "SystemExit": "exit",
    "sys.exit": "exit",
    "sys.argv": "environment",
    "sys.stdout": "printing",
    "sys.stderr": "printing",
    "os._exit": "exit",
    "os.environ": "environment",
    "os.getenv": "environment",
    "os.putenv": "environment",
    "os.urandom": "randomness",
    "uuid.uuid1": "randomness",
    "uuid.uuid4": "randomness",
    "datetime.datetime.now": "clock",
    "datetime.datetime.today": "clock",
    "datetime.datetime.utcnow": "clock",
    "datetime.date.today": "clock",
}
IMPURE_MODULES = {
    "time": "clock",
    "random": "randomness",
    "secrets": "randomness",
    "numpy.random": "randomness",
}
PURE_MEMBERS = {"random.Random"}


def layer_of(file: str) -> str:
    """Return the layer of a file given relative to the package."""
    first = file.split("/")[0]
    return "" if file == "__init__.py" else first.removesuffix(".py")


def module_of(file: str) -> str:
    """Return the dotted name of a file below the package, without the package."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(tree: ast.Module, file: str) -> list[tuple[int, str]]:
    """Return line and full dotted name of everything imported anywhere in a file."""
    package = [OWN, *file.split("/")[:-1]]
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found += [(node.lineno, f"{stem}.{alias.name}") for alias in node.names]
    return found


def own_imports(tree: ast.Module, file: str) -> list[tuple[int, str]]:
    """Return the imports of the package's own modules, without its name: ``model.ids.guid``."""
    prefix = f"{OWN}."
    return [(line, name[len(prefix) :]) for line, name in imports(tree, file) if name.startswith(prefix)]


def layer_faults(file: str, source: str) -> list[str]:
    """Find imports of a layer that is not below."""
    layer = layer_of(file)
    allowed = {layer, *LOWER.get(layer, set()), "__version__"}
    return [
        f"{file}:{line}: {layer or OWN} must not import {name}"
        for line, name in own_imports(ast.parse(source), file)
        if name.split(".")[0] not in allowed
    ]


def fence_faults(file: str, source: str) -> list[str]:
    """Find packages from outside where they do not belong."""
    allowed = THIRD_PARTY.get(file, THIRD_PARTY.get(layer_of(file), set()))
    names = [(line, name.split(".")[0]) for line, name in imports(ast.parse(source), file)]
    return [
        f"{file}:{line}: {name} does not belong here"
        for line, name in names
        if name != OWN and name not in sys.stdlib_module_names and name not in allowed
    ]


def _known_as(tree: ast.Module, file: str) -> dict[str, str]:
    """Map the names a file gives to what it imports to their full names."""
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return known


def _dotted(node: ast.AST, known: dict[str, str]) -> str:
    """Return the full dotted name of an expression such as ``dt.datetime.now``, or an empty text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([known.get(node.id, node.id), *reversed(parts)])


def impurities(file: str, source: str) -> list[str]:
    """Find printing, exits, environment, clocks and unseeded randomness."""
    if layer_of(file) in IMPURE_LAYERS:
        return []
    tree = ast.parse(source)
    known = _known_as(tree, file)
    faults = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _dotted(node.func, known) == "random.Random" and not node.args:
            faults.append(f"{file}:{node.lineno}: random.Random() without a seed")
        if not isinstance(node, ast.Name | ast.Attribute):
            continue
        name = _dotted(node, known)
        what = IMPURE.get(name)
        module, _, member = name.rpartition(".")
        if what is None and member and name not in PURE_MEMBERS and module in known.values():
            what = IMPURE_MODULES.get(module)
        if what is None and module == "numpy.random":
            what = IMPURE_MODULES[module]
        if what is not None:
            faults.append(f"{file}:{node.lineno}: {name} ({what})")
    faults += [
        f"{file}:{line}: {name} ({IMPURE_MODULES[name.rpartition('.')[0]]})"
        for line, name in imports(tree, file)
        if name.rpartition(".")[0] in IMPURE_MODULES and name not in PURE_MEMBERS
    ]
    return faults


def undocumented(file: str, source: str) -> list[str]:
    """Find public modules, classes and functions without a docstring."""
    tree = ast.parse(source)
    faults = [] if ast.get_docstring(tree) else [f"{file}:1: module"]

    def look(body: list[ast.stmt]) -> None:
        for node in body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if node.name.startswith("_"):
                continue
            if not ast.get_docstring(node):
                faults.append(f"{file}:{node.lineno}: {node.name}")
            if isinstance(node, ast.ClassDef):
                look(node.body)

    look(tree.body)
    return faults


def lacks_future_annotations(source: str) -> bool:
    """Whether a file has annotations and evaluates them."""
    tree = ast.parse(source)
    annotated = any(
        isinstance(node, ast.AnnAssign)
        or (isinstance(node, ast.arg) and node.annotation is not None)
        or (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None)
        for node in ast.walk(tree)
    )
    return annotated and "__future__.annotations" not in {name for _, name in imports(tree, "")}


def defines(source: str, name: str) -> bool:
    """Whether a module binds a name at its top level."""
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return True
    return False


def defines_command(source: str) -> bool:
    """Whether a module defines a click command or group."""
    return any(
        isinstance(node, ast.FunctionDef)
        and any(
            getattr(part, "attr", "") in {"command", "group"}
            for decorator in node.decorator_list
            for part in ast.walk(decorator)
        )
        for node in ast.parse(source).body
    )


def unit_faults(
    folder: str, sources: dict[str, str], is_unit, exempt: frozenset[str] = frozenset()
) -> list[str]:
    """Find units of a folder that import each other.

    Args:
        folder: Folder below the package.
        sources: File → text, of the whole package.
        is_unit: Whether a text is that of a unit's module.
        exempt: Units that everybody may import and that may import everybody.
    """
    depth = folder.count("/") + 1
    inside = {file: text for file, text in sources.items() if file.startswith(f"{folder}/")}

    def unit(dotted: str) -> str:
        return ".".join(dotted.split(".")[: depth + 1])

    units = {unit(module_of(file)) for file, text in inside.items() if is_unit(text)}
    units -= {folder.replace("/", ".")} | {f"{folder.replace('/', '.')}.{name}" for name in exempt}
    faults = []
    for file, text in inside.items():
        mine = unit(module_of(file))
        for line, name in own_imports(ast.parse(text), file):
            if mine in units and unit(name) in units and unit(name) != mine:
                faults.append(f"{file}:{line}: {mine} must not import {name}")
    return faults
