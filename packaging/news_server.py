"""Serves signed news about version 99.1 over https, until its input ends: `news_server.py FOLDER [changed]`.

With `changed`, the news was changed after it was signed. The certificate to trust is written to the folder.
It prints a line of JSON with what a build knows about news, and at the end a line with the targets of all
requests.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.fakes.news_server import NewsServer
from tests.fakes.raw_http import FakeResponse


def main(folder: str, *changes: str) -> None:
    server = NewsServer(Path(folder))
    if changes:
        server.responses["/news.json"] = FakeResponse(body=b'{"version": "99.2"}')
    with server:
        source = server.source
        print(json.dumps({"update_url": source.url, "update_key": source.key}), flush=True)
        sys.stdin.read()
    print(*(request.target.decode() for request in server.requests))


if __name__ == "__main__":
    main(*sys.argv[1:])
