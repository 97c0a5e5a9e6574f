"""The names of encodings and delimiters for people."""

from batchwright.base.i18n import _

_ENCODING_NAMES = {
    "latin-1": "Latin 1",
    "ascii": "ASCII",
    "big5": "Big5",
    "big5hkscs": "Big5-HKSCS",
    "cp932": "Windows 932 (Shift JIS)",
    "cp949": "Windows 949",
    "euc_jisx0213": "EUC-JISX0213",
    "hp_roman8": "HP Roman 8",
    "johab": "Johab",
    "mac_latin2": "Mac Latin 2",
    "palmos": "Palm OS",
    "shift_jis": "Shift JIS",
    "shift_jis_2004": "Shift JIS 2004",
    "shift_jisx0213": "Shift JISX0213",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "utf-32-le": "UTF-32 LE",
    "utf-32-be": "UTF-32 BE",
}

_WINDOWS_CODE_PAGES = {"874", "950", *map(str, range(1250, 1259))}


def encoding_name(encoding: str) -> str:
    """The usual name of an encoding, from its name in Python."""
    if encoding in _ENCODING_NAMES:
        return _ENCODING_NAMES[encoding]
    if encoding.startswith("cp"):
        page = encoding.removeprefix("cp")
        return f"Windows {page}" if page in _WINDOWS_CODE_PAGES else f"IBM {page}"
    if encoding.startswith("mac_"):
        return f"Mac {encoding.removeprefix('mac_').title()}"
    name = encoding.upper().replace("_", "-")
    return name.replace("ISO8859", "ISO 8859").replace("ISO2022", "ISO 2022")


def delimiter_name(delimiter: str) -> str:
    """The name of a delimiter."""
    return {",": _("Comma"), ";": _("Semicolon"), "\t": _("Tab"), "|": _("Pipe")}.get(delimiter, delimiter)
