"""The rules on uploads of files: types, sizes and numbers."""

import re
from collections.abc import Iterator, Sequence

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, is_array
from batchwright.base.local_formats import joined, quoted
from batchwright.layout.attributes import AttributeType
from batchwright.layout.item_types.file_upload import FileUpload
from batchwright.layout.rules.examples import FILE_UPLOAD, one_item_layouts, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RejectionStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix, unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY27",
    N_("An accepted file type begins with a dot"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        FILE_UPLOAD, with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", ".tar.gz"])
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, accepted_file_types=["pdf"]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", "image/png"]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[""]),
    ),
    attribute="accepted_file_types",
)
def file_types_start_with_dot(index: PageIndex) -> Iterator[Finding]:
    """Each of `accepted_file_types` is an extension with its dot."""
    for path, item in index.of(FileUpload):
        value = item.attributes.get("accepted_file_types")
        types = value if is_array(value) else ()
        undotted = [
            file_type for file_type in types if isinstance(file_type, str) and not file_type.startswith(".")
        ]
        if undotted:
            yield Finding(
                path,
                item,
                _("An accepted file type begins with a dot, like .pdf. Change: {types}."),
                {"types": joined(quoted(file_type) for file_type in undotted)},
                _add_dots_fix(item, types),
            )


@rule(
    "LY28",
    N_("The maximum file size is above 0"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        FILE_UPLOAD,
        with_attributes(FILE_UPLOAD, max_file_size_mb=0.25),
        with_attributes(FILE_UPLOAD, max_file_size_mb=None),
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, max_file_size_mb=0), with_attributes(FILE_UPLOAD, max_file_size_mb=-3.5)
    ),
    attribute="max_file_size_mb",
)
def positive_file_size(index: PageIndex) -> Iterator[Finding]:
    """`max_file_size_mb` is above 0."""
    for path, item in index.of(FileUpload):
        size = item.attributes.get("max_file_size_mb")
        if isinstance(size, int | float) and not isinstance(size, bool) and size <= 0:
            yield Finding(
                path,
                item,
                _("The maximum file size is {size} MB. It must be above 0."),
                {"size": size},
                unset_attribute_fix(item, _("Allow 25 MB, the usual size"), "max_file_size_mb"),
            )


@rule(
    "LY29",
    N_("At least one file is asked for"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(FILE_UPLOAD, with_attributes(FILE_UPLOAD, min_file_count=2)),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, min_file_count=0),
        with_attributes(FILE_UPLOAD, min_file_count=-1, max_file_count=3),
    ),
    attribute="min_file_count",
)
def at_least_one_file(index: PageIndex) -> Iterator[Finding]:
    """`min_file_count` is 1 or more."""
    for path, item in index.of(FileUpload):
        fewest = item.integer("min_file_count")
        if fewest is not None and fewest < 1:
            yield Finding(
                path,
                item,
                _("The minimum number of files is {fewest}. It must be 1 or more."),
                {"fewest": fewest},
                _require_one_file_fix(item),
            )


@rule(
    "LY30",
    N_("The minimum number of files is not above the maximum"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(FILE_UPLOAD, min_file_count=3, max_file_count=3),
        with_attributes(FILE_UPLOAD, min_file_count=10),
        with_attributes(FILE_UPLOAD, max_file_count=1),
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, min_file_count=3, max_file_count=2),
        with_attributes(FILE_UPLOAD, min_file_count=11),
        with_attributes(FILE_UPLOAD, max_file_count=0),
    ),
    attribute="max_file_count",
)
def min_files_not_above_max(index: PageIndex) -> Iterator[Finding]:
    """`min_file_count` (1 when absent) is not above `max_file_count` (10 when absent)."""
    for path, item in index.of(FileUpload):
        if not all(_has_accepted_type(item, name) for name in ("min_file_count", "max_file_count")):
            continue
        fewest, most = item.value_or_default("min_file_count"), item.value_or_default("max_file_count")
        if isinstance(fewest, int) and isinstance(most, int) and fewest > most:
            yield Finding(
                path,
                item,
                _("The minimum number of files ({fewest}) is above the maximum ({most}). Raise the maximum."),
                {"fewest": fewest, "most": most},
                set_attribute_fix(item, _("Allow {count}").format(count=fewest), max_file_count=fewest),
            )


@rule(
    "LY56",
    N_("A list of accepted file types is not empty"),
    passes=one_item_layouts(FILE_UPLOAD, with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf"])),
    fails=one_item_layouts(with_attributes(FILE_UPLOAD, accepted_file_types=[])),
    attribute="accepted_file_types",
)
def file_types_not_empty(index: PageIndex) -> Iterator[Finding]:
    """An empty list of types does not mean any type: the default types are accepted."""
    for path, item in index.of(FileUpload):
        types = item.attributes.get("accepted_file_types")
        if is_array(types) and not types:
            message = _("No file type is listed, so only images are accepted. List the types you want.")
            fix = unset_attribute_fix(item, _("Accept images, as usual"), "accepted_file_types")
            yield Finding(path, item, message, fix=fix)


@rule(
    "LY57",
    N_("Accepted file types look like file endings"),
    passes=one_item_layouts(
        FILE_UPLOAD, with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", ".tar.gz", ".7z", ".C++"])
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, accepted_file_types=["."]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf, .doc"]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[".image/png"]),
    ),
    attribute="accepted_file_types",
)
def plausible_types(index: PageIndex) -> Iterator[Finding]:
    """An accepted type is the extension of a file name, so it contains letters, and no space or slash."""
    for path, item in index.of(FileUpload):
        value = item.attributes.get("accepted_file_types")
        types = [file_type for file_type in value if isinstance(file_type, str)] if is_array(value) else []
        odd = [
            file_type
            for file_type in types
            if file_type.startswith(".") and (len(file_type) == 1 or set(file_type) & set(" ,;/\\*"))
        ]
        if odd:
            message = _("No file name ends with {types}. List endings like .pdf, each by itself.")
            values = {"types": joined(quoted(file_type) for file_type in odd)}
            yield Finding(path, item, message, values, _separate_types_fix(item, types))


RULES = (
    file_types_start_with_dot,
    positive_file_size,
    at_least_one_file,
    min_files_not_above_max,
    file_types_not_empty,
    plausible_types,
)


def _add_dots_fix(item: FileUpload, types: Sequence[Json]) -> Fix | None:
    """A fix that adds missing dots to the types; None if one is a media type such as `image/png`."""
    texts = [file_type for file_type in types if isinstance(file_type, str)]
    if len(texts) < len(types) or any("/" in file_type for file_type in texts):
        return None
    with_dots = [f".{file_type.lstrip('*.')}" if file_type.strip("*.") else "" for file_type in texts]
    extensions = [file_type for file_type in dict.fromkeys(with_dots) if file_type]
    return set_attribute_fix(item, _("Add the dot"), accepted_file_types=extensions) if extensions else None


def _require_one_file_fix(item: FileUpload) -> Fix:
    """A fix that requires at least one file. A maximum below 1 is unset, too."""
    names = ["min_file_count"]
    most = item.integer("max_file_count")
    if most is not None and most < 1:
        names.append("max_file_count")
    return unset_attribute_fix(item, _("Ask for at least 1"), *names)


def _has_accepted_type(item: FileUpload, name: str) -> bool:
    value = item.attributes.get(name)
    return value is None or AttributeType.INTEGER.accepts(value)


def _separate_types_fix(item: FileUpload, types: Sequence[str]) -> Fix | None:
    """A fix that splits extensions typed as one entry; None if one is a media type such as `image/png`."""
    names = [extension.strip("*") for file_type in types for extension in re.split(r"[\s,;]+", file_type)]
    endings = [f".{extension.lstrip('.')}" for extension in dict.fromkeys(names) if extension.strip(".")]
    if not endings or any(set(file_type) & set("/\\*") for file_type in endings):
        return None
    return set_attribute_fix(item, _("List each by itself"), accepted_file_types=endings)
