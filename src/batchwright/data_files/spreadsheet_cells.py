"""Cells of CSV files that are safe to open in a spreadsheet program."""

_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters of cells that a spreadsheet program may run as a formula: https://owasp.org/www-community/attacks/CSV_Injection."""
_APOSTROPHE = "'"


def safe_cell(text: str) -> str:
    """The text, preceded by an apostrophe if a spreadsheet program might run it as a formula."""
    return f"{_APOSTROPHE}{text}" if text.lstrip("\ufeff ").startswith(_FORMULA_SIGNS) else text
