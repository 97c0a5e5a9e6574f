"""How large what is sent to a service, and what a layout holds, may be (wire.md 15).

The service rejects what is beyond these limits, and the rules on layouts know those of layouts: a
layout that passes them fits into a request.
"""

MIB = 1024 * 1024

LARGEST_BODY = 32 * MIB
"""The most bytes a JSON body may have; files travel by pre-signed addresses, unlimited by this."""

MOST_MARKS = 1_000_000
"""The most commas and opening brackets in a JSON body: how many values it can hold, and so what it costs."""

LARGEST_FORM = 4 * MIB
"""The most bytes that the fields of a participant's form may have; its files are not counted."""

MOST_FORM_FIELDS = 10_000
"""The most fields and files of a participant's form."""

MOST_ITEMS = 10_000
"""The most items on all pages of a layout."""

MOST_VALUES = 200_000
"""The most JSON values in a layout, at whatever depth: commas and brackets stay below `MOST_MARKS`."""

MOST_CHARACTERS = 2_000_000
"""The most characters in all texts and keys of a layout: all escaped, they stay below `LARGEST_BODY`."""

LONGEST_RICH_TEXT = 50_000
"""The most characters in the content of one rich text, as it is written and as HTML."""

DEEPEST_RICH_TEXT = 50
"""How many elements of a rich text may be nested in each other."""

DEEPEST_TABLES = 5
"""How many tables and quotations may be nested in each other: each level doubles what some readers take."""
