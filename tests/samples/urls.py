"""Random URLs: valid ones, and unusual ones that may be valid or not."""

from random import Random
from typing import Final

AUDIO: Final = (".aac", ".m4a", ".mp3", ".wav", ".MP3", ".Wav")
VIDEO: Final = (".mp4", ".webm", ".mov", ".MP4", ".Mov")

_SCHEMES = ("https", "HTTPS", "Https", "http", "HTTP", "ftp", "javascript", "", "httpſ", "https ")
_MARKS = ("://", "://", "://", "://", ":", ":/", ":///", "//", ":\\\\")
_USERS = ("", "", "", "", "", "user@", "user:secret@", "@")
_HOSTS = (
    "media.example",
    "media.example",
    "media.example",
    "MEDIA.example.",
    "bücher.example",
    "192.0.2.1",
    "[2001:db8::1]",
    "[2001:db8::1",
    "2001:db8::1]",
    "[media.example]",
    "",
    ".",
    "a b.example",
    "media.example\\evil",
    "media\uff0fexample",
    "media.example\u2100",
    "%6dedia.example",
    "media.example\u200b",
)
_PORTS = ("", "", "", "", "", ":", ":80", ":65535", ":65536", ":-1", ":port", ":８０", ":0")
_PATHS = (
    "",
    "/",
    "/a/b",
    "/a.mp3",
    "/a.MP4",
    "/a.mp3/",
    "/a.mp3;v=1",
    "/.wav",
    "/a.mp3.exe",
    "/a%2emp3",
    "/ä.mov",
)
_ENDS = ("", "", "", "?x=1", "?x=a.mp3", "#part", "#a.mp4", "?", "?to=https://media.example/a.webm")
_STRAYS = (" ", "\t", "\n", "\r", "\u00a0", "\u2028", "\u0085", "\x7f", "\x1f", "\x00", "\ufeff", "\u200b")


def valid_url(random: Random, *extensions: str) -> str:
    """A valid https URL whose path ends with one of the extensions, if any."""
    host = random.choice(
        ("media.example", "MEDIA.example:8443", "bücher.example", "192.0.2.1", "[2001:db8::1]")
    )
    path = random.choice(("/a", "/some/where/a", "/ä b".replace(" ", "%20"), "/a.b.c"))
    ending = random.choice(extensions or ("", ".png", "/"))
    return (
        random.choice(("https", "HTTPS"))
        + "://"
        + host
        + path
        + ending
        + random.choice(("", "?x=1&y=2", "#part"))
    )


def unusual_url(random: Random) -> str:
    """An address pieced together from sound and unsound parts; nobody knows what comes out."""
    text = "".join(map(random.choice, (_SCHEMES, _MARKS, _USERS, _HOSTS, _PORTS, _PATHS, _ENDS)))
    if random.random() < 0.2:
        place = random.randint(0, len(text))
        text = text[:place] + random.choice(_STRAYS) + text[place:]
    return text


def invalid_url(random: Random) -> str:
    """An address that is not absolute, or at neither http nor https."""
    path = random.choice(("/a.png", "/a.mp3", "/a.mp4", ""))
    return (
        random.choice(("ftp://media.example", "//media.example", "media.example", "https://", "https:///"))
        + path
    )
