"""Somebody else's text inside a sentence of ours."""


def truncate(text: str, most: int = 60) -> str:
    """A text of at most `most` characters, cut with an ellipsis; half characters are spelt out.

    So a sentence stays readable, and can be written down as UTF-8, whatever it quotes.
    """
    start = text[: most + 1].encode(errors="backslashreplace").decode()
    return start if len(start) <= most else start[: most - 1] + "…"


def without_lone_surrogates(text: str) -> str:
    """The text with the replacement character for each half character, so that it can be stored and sent."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
