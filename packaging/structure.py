"""Measures the structure of the code: `python3 packaging/structure.py [CHECKOUT]` prints a Markdown table.

Reads the sources with `ast` only, so it can be run on any checkout, older ones too.

Files from click to request are counted statically: the modules on any chain of imports from the stage and its
table of actions to the use case, and the shortest chain from the use case to the transport, all included.
"""

import ast
import re
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from pathlib import Path

COMMANDS = {
    "set-up": ("run", {"set_up"}),
    "upload": ("data", {"upload_dataset", "bring_data"}),
    "sync": ("run", {"sync"}),
    "export": ("results", {"download_results", "deliver"}),
}
"""The stage with the command's row, and the modules of its use case, also in older checkouts."""

ITEM_TYPES = ("FreeText", "FreeTextWithUnit", "MultipleChoice", "MultipleChoiceWithFreeText", "FileUpload")
"""Adding a type changes the files that mention an existing one, by class name or by name in the format."""

REGISTRIES = (
    "analysis/charts/__init__.py",
    "analysis/output/output_kinds.py",
    "api/client.py",
    "layout/item_types/registry.py",
    "layout/rules/__init__.py",
    "service/server/routes.py",
    "service/server/worker.py",
    "ui/editor/item_types/registry.py",
    "ui/stages.py",
    "workflows/messages/__init__.py",
)
"""Modules that list others: one for each chart, format, resource, item type, rule, job, stage or error."""


class Checkout:
    def __init__(self, root: Path) -> None:
        self.package = root / "src" / "batchwright"
        self.paths = sorted(self.package.rglob("*.py"))
        self.texts = {path: path.read_text(encoding="utf-8") for path in self.paths}
        self.trees = {path: ast.parse(text) for path, text in self.texts.items()}
        self.names = {self._module(path): path for path in self.paths}
        self.statements = {path: set(self._imports(path)) - {path} for path in self.paths}
        self.imports = {path: self.statements[path] | set(self._named(path)) for path in self.paths}

    def _module(self, path: Path) -> str:
        parts = path.relative_to(self.package.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _imports(self, path: Path) -> Iterator[Path]:
        """Yield the modules that a module imports, also inside functions or for type checking."""
        for node in ast.walk(self.trees[path]):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            paths = [self.names[name] for name in names if name in self.names]
            yield from paths if len(paths) < 2 else paths[1:]

    def _named(self, path: Path) -> Iterator[Path]:
        """Yield the modules that a module imports lazily, by name in a string."""
        texts = (node.value for node in ast.walk(self.trees[path]) if isinstance(node, ast.Constant))
        paths = (self.names[text] for text in texts if isinstance(text, str) and text in self.names)
        yield from (named for named in paths if named != path)


def lines_of_code(checkout: Checkout) -> int:
    """Lines without blanks, comments, docstrings (of attributes too) and imports."""
    total = 0
    for path, tree in checkout.trees.items():
        excluded: set[int] = set()
        for node in ast.walk(tree):
            is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if is_docstring or isinstance(node, ast.Import | ast.ImportFrom):
                assert isinstance(node, ast.stmt)
                excluded.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        lines = enumerate(checkout.texts[path].splitlines(), start=1)
        total += sum(bool(line.strip()) and line.strip()[0] != "#" and n not in excluded for n, line in lines)
    return total


def modules_with_one_importer(checkout: Checkout, *, without_rows: bool = False) -> int:
    """Modules that exactly one other module imports; packages' `__init__` are not counted.

    `without_rows` leaves out the modules that a registry lists, and the actions, which each stage lists in a
    module of their own.
    """
    importers: dict[Path, list[Path]] = defaultdict(list)
    for path, imports in checkout.imports.items():
        for imported in imports:
            importers[imported].append(path)
    single = {path: paths[0] for path, paths in importers.items() if len(paths) == 1}
    registries = {checkout.package / name for name in REGISTRIES} if without_rows else set()
    return sum(
        path.stem != "__init__"
        and importer not in registries
        and not (without_rows and path.stem in ("actions", "stage"))
        for path, importer in single.items()
    )


def files_in_circles(checkout: Checkout) -> int:
    """Files that import themselves through others."""
    graph = checkout.statements
    return sum(path in distances(graph, list(imports)) for path, imports in graph.items())


def duplicate_classes(checkout: Checkout) -> list[str]:
    defined = Counter(
        node.name
        for tree in checkout.trees.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return sorted(name for name, count in defined.items() if count > 1)


def definitions(checkout: Checkout, name: str) -> int:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return sum(
        isinstance(node, functions) and node.name == name
        for tree in checkout.trees.values()
        for node in ast.walk(tree)
    )


def files_to_request(checkout: Checkout, stage: str, use_case: set[str]) -> int:
    """Count the modules that one reads to follow a command from its row to the request."""
    names = ("actions", "commands", "stage")
    tables = [path for path in checkout.paths if path.parent.name == stage and path.stem in names]
    use_cases = [path for path in checkout.paths if "workflows" in path.parts and path.stem in use_case]
    importers: dict[Path, set[Path]] = defaultdict(set)
    for path, imports in checkout.imports.items():
        for imported in imports:
            importers[imported].add(path)
    between = distances(checkout.imports, tables).keys() & distances(importers, use_cases).keys()
    (transport,) = (checkout.package / "api").rglob("transport.py")
    return len(between) + distances(checkout.imports, use_cases)[transport]


def distances(graph: dict[Path, set[Path]], starts: list[Path]) -> dict[Path, int]:
    steps, queue = dict.fromkeys(starts, 0), deque(starts)
    while queue:
        path = queue.popleft()
        for neighbour in graph.get(path, ()):
            if neighbour not in steps:
                steps[neighbour] = steps[path] + 1
                queue.append(neighbour)
    return steps


def files_of_a_type(checkout: Checkout) -> int:
    """Count the files of code and resources that mention an item type; returns the maximum over all types."""
    resources = checkout.package.parents[1] / "resources" / "participant"
    pages = [path.read_text(encoding="utf-8") for path in resources.rglob("*.*") if path.suffix != ".svg"]
    names = {kind: re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower() for kind in ITEM_TYPES}
    return max(
        sum(bool(re.search(rf"\b(?:{kind}|{name})\b", text)) for text in [*checkout.texts.values(), *pages])
        for kind, name in names.items()
    )


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    checkout = Checkout(root)
    duplicates = duplicate_classes(checkout)
    rows = [
        ("lines of code without blanks, comments, docstrings and imports", lines_of_code(checkout)),
        ("modules", len(checkout.paths)),
        ("modules with one importer", modules_with_one_importer(checkout)),
        ("the same without rows of registries", modules_with_one_importer(checkout, without_rows=True)),
        ("files in circles of imports", files_in_circles(checkout)),
        ("public class names defined more than once", len(duplicates)),
        ("definitions of `set_up`", definitions(checkout, "set_up")),
        ("files that mention an item type (the largest number)", files_of_a_type(checkout)),
    ]
    for command, (stage, use_case) in COMMANDS.items():
        rows.append((f"files from click to request: {command}", files_to_request(checkout, stage, use_case)))
    print("| measure | value |\n|---|---|")
    for title, value in rows:
        print(f"| {title} | {value:,} |")
    print("\nClass names defined more than once:", ", ".join(duplicates) or "none")


if __name__ == "__main__":
    main()
