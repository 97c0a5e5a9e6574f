"""Truncating and cleaning text that is quoted in messages."""


def truncate(text: str, most: int = 60) -> str:
    """Truncate a text to `most` characters with an ellipsis; lone surrogates are written as escapes.

    A message that quotes it stays readable and can be encoded as UTF-8.
    """
    start = text[: most + 1].encode(errors="backslashreplace").decode()
    return start if len(start) <= most else start[: most - 1] + "…"


def without_lone_surrogates(text: str) -> str:
    """Replace each lone surrogate with the replacement character, so that the text can be stored and sent."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
