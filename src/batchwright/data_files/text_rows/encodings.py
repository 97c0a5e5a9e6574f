"""The text encodings of data files: which can be chosen, and which one a file seems to have.

Every text codec of Python can be chosen, except those that are not encodings of files (`idna`, `punycode`,
`unicode_escape`, `raw_unicode_escape`, `charmap`, `undefined`), the two that depend on the settings of a
Windows computer (`mbcs`, `oem`), and the variants of UTF-8, UTF-16 and UTF-32 that require or expect a byte
order mark: a mark is skipped in any case, and the byte order is part of the encoding.
"""

import codecs
from functools import lru_cache
from itertools import chain

from batchwright.base.i18n import N_

COMMON_ENCODINGS = (
    "utf-8",
    "utf-16-le",
    "utf-16-be",
    "cp1252",
    "latin-1",
    "cp1251",
    "cp932",
    "gb18030",
    "big5",
    "cp949",
)
"""Offered first."""

ENCODINGS_BY_SCRIPT = {
    N_("Unicode"): "utf-8 utf-16-le utf-16-be utf-32-le utf-32-be utf-7",
    N_("Western European"): (
        "cp1252 latin-1 iso8859_1 iso8859_15 ascii mac_roman cp437 cp850 cp858 cp037 cp273 cp500 cp1140 "
        "hp_roman8 palmos"
    ),
    N_("Central European"): "cp1250 iso8859_2 iso8859_16 mac_latin2 mac_croatian mac_romanian cp852",
    N_("Baltic"): "cp1257 iso8859_4 iso8859_13 cp775",
    N_("Nordic and Celtic"): "iso8859_10 iso8859_14 mac_iceland cp861 cp865",
    N_("Portuguese and Canadian French"): "cp860 cp863",
    N_("Southern European"): "iso8859_3",
    N_("Cyrillic"): ("cp1251 koi8_r koi8_u koi8_t iso8859_5 mac_cyrillic kz1048 ptcp154 cp855 cp866 cp1125"),
    N_("Greek"): "cp1253 iso8859_7 mac_greek cp737 cp869 cp875",
    N_("Turkish"): "cp1254 iso8859_9 mac_turkish cp857 cp1026",
    N_("Hebrew"): "cp1255 iso8859_8 cp424 cp856 cp862",
    N_("Arabic, Persian and Urdu"): "cp1256 iso8859_6 mac_arabic mac_farsi cp720 cp864 cp1006",
    N_("Thai"): "cp874 iso8859_11 tis_620",
    N_("Vietnamese"): "cp1258",
    N_("Japanese"): (
        "shift_jis cp932 shift_jis_2004 shift_jisx0213 euc_jp euc_jis_2004 euc_jisx0213 iso2022_jp "
        "iso2022_jp_1 iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext"
    ),
    N_("Chinese, simplified"): "gb18030 gbk gb2312 hz",
    N_("Chinese, traditional"): "big5 cp950 big5hkscs",
    N_("Korean"): "cp949 euc_kr johab iso2022_kr",
}
"""The encodings that can be chosen, separated by spaces, by the script or language they are used for."""

ENCODINGS = frozenset(chain.from_iterable(map(str.split, ENCODINGS_BY_SCRIPT.values())))

_MARKS = {
    # UTF-32 first: its mark in little-endian order begins with that of UTF-16.
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF8: "utf-8",
}

_DETECTABLE = (
    *("cp1252", "cp932", "euc_jp", "gb18030", "big5", "cp949", "cp1251", "koi8_r", "cp1250", "cp1253"),
    *("cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "iso8859_2", "iso8859_5", "iso8859_7"),
)
"""Encodings that are considered for text that is not Unicode; if several fit equally, the first is used."""

_DETECTION_BYTES = 1 << 16
_MIN_NON_ASCII = 8
"""With fewer bytes beyond ASCII, every guess is as good as another."""
_CHAOS_TOLERANCE = 0.09
_COHERENCE_TOLERANCE = 0.04
"""Differences within which two scores of charset-normalizer count as equal; both range from 0 to 1."""


@lru_cache
def supported_encoding(name: str) -> str | None:
    """The canonical name of an encoding, for any of its names in Python; None if it cannot be chosen."""
    if name in ENCODINGS:
        return name
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return None
    if codec == "utf-8-sig":
        return "utf-8"
    return next((encoding for encoding in sorted(ENCODINGS) if codecs.lookup(encoding).name == codec), None)


@lru_cache
def is_single_byte(encoding: str) -> bool:
    """Whether each byte is a character of its own."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    return all(len(decoder.decode(bytes([byte]))) == 1 for byte in range(256))


def byte_order_mark(encoding: str) -> bytes:
    """The bytes that may precede the text of a file; empty for an encoding without a mark."""
    try:
        return "\ufeff".encode(encoding)
    except UnicodeEncodeError:
        return b""


def detect_encoding(sample: bytes) -> str:
    """The encoding of a file that begins with `sample`, which may end within a character.

    Unicode is recognised exactly: by its byte order mark, by the zero bytes of UTF-16, or because it is valid
    UTF-8. Text that is mostly UTF-8 counts as UTF-8, so that its few invalid records are shown as such. For
    everything else charset-normalizer rates the encodings; what it cannot decide is Windows 1252.
    """
    for bom, encoding in _MARKS.items():
        if sample.startswith(bom):
            return encoding
    if zeros := sample.count(0):
        odd = sample[1::2].count(0)
        if zeros > len(sample) // 4 and odd in (0, zeros):
            return "utf-16-le" if odd else "utf-16-be"
    if _is_mostly_utf8(sample):
        return "utf-8"
    return _detect_legacy_encoding(sample) or ("cp1252" if _can_decode(sample, "cp1252") else "latin-1")


def _is_mostly_utf8(sample: bytes) -> bool:
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(sample)
    non_ascii = [letter for letter in text if letter > "\x7f"]
    invalid = sum("\udc80" <= letter <= "\udcff" for letter in non_ascii)
    return 2 * invalid <= len(non_ascii)


def _can_decode(sample: bytes, encoding: str) -> bool:
    try:
        sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _detect_legacy_encoding(sample: bytes) -> str | None:
    """The best of the encodings that are not Unicode; None if they cannot be rated.

    Only complete lines with non-ASCII characters are rated: all other lines fit every encoding.
    """
    lines = sample.splitlines(keepends=True)
    if len(lines) > 1 and not sample.endswith((b"\n", b"\r")):
        del lines[-1]
    text = b"".join(line for line in lines if not line.isascii())[:_DETECTION_BYTES]
    text = text[: text.rfind(b"\n") + 1] or text
    if sum(byte > 0x7F for byte in text) < _MIN_NON_ASCII:
        return None
    from charset_normalizer import from_bytes  # takes 50 ms to import, and most files do not need it  # noqa: PLC0415

    matches = list(from_bytes(text, cp_isolation=list(_DETECTABLE), preemptive_behaviour=False))
    if not matches:
        return None
    least_chaos = min(match.chaos for match in matches)
    matches = [match for match in matches if match.chaos <= least_chaos + _CHAOS_TOLERANCE]
    most_coherence = max(match.coherence for match in matches)
    matches = [match for match in matches if match.coherence >= most_coherence - _COHERENCE_TOLERANCE]
    names = {name for match in matches for name in match.could_be_from_charset}
    return next((encoding for encoding in _DETECTABLE if encoding in names), None)
