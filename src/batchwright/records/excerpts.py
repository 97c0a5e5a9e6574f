"""Somebody else's text inside a sentence of ours."""


def excerpt(text: str, most: int = 60) -> str:
    """A text of at most `most` characters, cut with an ellipsis; half characters are spelt out.

    So a sentence stays readable, and can be written down as UTF-8, whatever it quotes.
    """
    start = text[: most + 1].encode(errors="backslashreplace").decode()
    return start if len(start) <= most else start[: most - 1] + "…"
