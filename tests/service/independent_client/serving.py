"""Starts the service under test from its command line."""

import json
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.service.independent_client.client import Client


@contextmanager
def serving(folder: Path, *options: str, trust: ssl.SSLContext | None = None) -> Iterator[Client]:
    """Run `batchwright serve` on a data folder; yields a client with the token written there."""
    command = [sys.executable, "-m", "batchwright", "serve", "--data-dir", str(folder), "--with-parent"]
    with subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        try:
            ready = json.loads(process.stdout.readline())
            assert set(ready) == {"url", "workspace_id", "token_file", "certificate_file", "pid"}
            token = Path(ready["token_file"]).read_text("utf-8").strip()
            yield Client(ready["url"], ready["workspace_id"], token, trust)
        finally:
            process.stdin.close()
            assert process.wait(30) == 0
