"""The comparison of two contents of a study: the layout page by page, and everything else by attribute."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from batchwright.layout.collection_pages import item_path
from batchwright.layout.comparing.comparison import Change, LayoutComparison, NodeComparison, compare_layouts
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, Node, NodePath
from batchwright.local.projects import StudyContent, StudyKind
from batchwright.ui.study.steps import changed_attributes


@dataclass(frozen=True)
class PageComparison:
    """A page of either content, with the comparisons of the page and of everything inside it."""

    page: NodeComparison
    nodes: tuple[NodeComparison, ...]
    """The nodes that are on the page before or after, without the page itself; not the unchanged ones."""
    name_before: str = ""
    name_after: str = ""

    @property
    def is_unchanged(self) -> bool:
        """Whether page, name and all nodes on it are unchanged."""
        is_same_name = self.name_before == self.name_after
        return not self.nodes and is_same_name and self.page.changes == (Change.UNCHANGED,)


@dataclass(frozen=True)
class StudyComparison:
    """Two contents of a study, the earlier one first."""

    before: StudyContent
    after: StudyContent
    layout: LayoutComparison
    attributes: frozenset[str]
    """The names of the attributes that differ, such as `schema`."""

    def path_before(self, node: NodeComparison) -> NodePath | None:
        """The path of a node in the earlier content, as it is shown; None if it was added."""
        return _shown_path(node.path_before, self.before)

    def path_after(self, node: NodeComparison) -> NodePath | None:
        """The path of a node in the later content, as it is shown; None if it was removed."""
        return _shown_path(node.path_after, self.after)

    @property
    def is_equal(self) -> bool:
        """Whether both are equal."""
        return not self.attributes

    @cached_property
    def pages(self) -> tuple[PageComparison, ...]:
        """The pages in the order of the later content; removed ones follow the page they followed before."""
        removed = {node.key: node for node in self.layout.at_level(Level.PAGE, Change.REMOVED)}
        pages = {node.key: node for node in self.layout.at_level(Level.PAGE) if node.after is not None}
        removed_after: dict[str | None, str] = {}
        previous: str | None = None
        for page in self.before.layout.pages:
            if page.key in removed:
                removed_after[previous] = page.key
            previous = page.key
        ordered: list[NodeComparison] = []
        for start in (None, *(page.key for page in self.after.layout.pages)):
            ordered += [] if start is None else [pages[start]]
            following = removed_after.get(start)
            while following is not None:
                ordered.append(removed[following])
                following = removed_after.get(following)
        return tuple(self._page(page, self.layout.by_key) for page in ordered)

    def _page(self, page: NodeComparison, by_key: Mapping[str, NodeComparison]) -> PageComparison:
        is_same = page.before is page.after
        keys = {} if is_same else dict.fromkeys((*_inner_keys(page.after), *_inner_keys(page.before)))
        compared = (by_key[key] for key in keys)
        return PageComparison(
            page,
            tuple(node for node in compared if node.changes != (Change.UNCHANGED,)),
            self.before.page_names.get(page.key, "") if page.before is not None else "",
            self.after.page_names.get(page.key, "") if page.after is not None else "",
        )


def with_shared_pages(content: StudyContent, current: StudyContent) -> StudyContent:
    """The content with the page objects of the current one where they are equal, for a fast check.

    Of other pages, equal items are those objects: their cards on the canvas are not filled again.
    """
    pages = {page.key: page for page in current.layout.pages}
    items = {item.key: item for _path, item in current.layout.walk()}
    changed = Layout(tuple(page for page in content.layout.pages if pages.get(page.key) != page))
    same = {item.key: items[item.key] for _path, item in changed.walk() if items.get(item.key) == item}
    shared = (pages[page.key] if pages.get(page.key) == page else page for page in content.layout.pages)
    return replace(content, layout=Layout(tuple(shared)).with_items(same))


def _shown_path(path: NodePath | None, content: StudyContent) -> NodePath | None:
    is_collection = content.kind is StudyKind.COLLECTION
    return item_path(path, content.layout) if is_collection and path is not None else path


def compare_contents(before: StudyContent, after: StudyContent) -> StudyComparison:
    """Compare two contents of a study."""
    layout = compare_layouts(before.layout, after.layout)
    return StudyComparison(before, after, layout, changed_attributes(before, after))


def _inner_keys(page: Node | None) -> Iterator[str]:
    return (node.key for node in page.walk_all() if node is not page) if page is not None else iter(())
