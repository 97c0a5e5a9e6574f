"""The queries of URLs are removed from texts, and nothing else."""

import pytest

from batchwright.base.urls import redact_urls


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See https://a.example/b?X-Sig=c%2Fd&e=1 now", "See https://a.example/b?... now"),
        ('{"url": "http://127.0.0.1:80/x?y=1"}', '{"url": "http://127.0.0.1:80/x?...'),
        ("Denied: /bucket/key?X-Sig=c and it's", "Denied: /bucket/key?... and it's"),
        ("https://a.example/it's?name='a'&X-Sig=c", "https://a.example/it's?..."),
        ("HTTPS://A/?q <https://b/c?d>", "HTTPS://A/?... <https://b/c?...>"),
        ("Why? Because. https://a.example/b", "Why? Because. https://a.example/b"),
        ("https://a.example/b? yes", "https://a.example/b? yes"),
    ],
)
def test_the_query_of_every_url_is_removed(text: str, shown: str) -> None:
    assert redact_urls(text) == shown
