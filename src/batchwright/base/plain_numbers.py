"""Numbers as files and commands have them, whatever the language: 1234567.5."""


def plain_text(number: float, digits: int = 17) -> str:
    """A number with at most so many significant digits; all digits of a whole number.

    With 17 digits it is exactly the same number when it is read again, with the fewest digits for that.
    """
    rounded = number if float(number).is_integer() else f"{number:.{digits}g}"
    return repr(float(rounded) + 0.0).removesuffix(".0")


def plain_number(text: str) -> float:
    """The number that a text is. Python's underscores between digits are no part of a number.

    Raises:
        ValueError: the text is no number.
    """
    if "_" in text:
        raise ValueError(text)
    return float(text)
