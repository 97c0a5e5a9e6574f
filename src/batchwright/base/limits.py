"""Size limits of requests to a service, and of layouts (wire reference, section 15).

The service rejects what exceeds them, and the rules check those of layouts: a layout that passes the rules
fits into a request.
"""

MIB = 1024 * 1024

LARGEST_BODY = 32 * MIB
"""Maximum bytes of a JSON body; files are sent to pre-signed URLs and are not limited by this."""

MAX_JSON_TOKENS = 1_000_000
"""Maximum number of commas and opening brackets in a JSON body: it bounds the number of values."""

MAX_JSON_KEYS = 250_000
"""Maximum number of keys in a JSON body, and in a line of JSONL; a layout has fewer (`MAX_VALUES`)."""

LARGEST_FORM = 4 * MIB
"""Maximum bytes of the fields of a participant's form; files are not counted."""

MAX_FORM_FIELDS = 10_000
"""Maximum number of fields and files of a participant's form."""

MAX_ITEMS = 10_000
"""Maximum number of items on all pages of a layout."""

MAX_VALUES = 200_000
"""Maximum number of JSON values in a layout, at any depth, so that it stays below `MAX_JSON_TOKENS`."""

MAX_CHARACTERS = 2_000_000
"""Maximum characters in all texts and keys of a layout: all escaped, they stay below `LARGEST_BODY`."""

LONGEST_RICH_TEXT = 50_000
"""Maximum characters of one rich text, as Markdown and as HTML."""

DEEPEST_RICH_TEXT = 50
"""Maximum nesting of elements in a rich text."""

DEEPEST_TABLES = 5
"""Maximum nesting of tables and quotations: each level doubles the cost for some parsers."""
