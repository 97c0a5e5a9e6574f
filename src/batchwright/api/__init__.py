"""The HTTP client of the API: transport, retries, file transfers, errors, and one module per resource."""

import sys

# The command `httpx` is not used: it would import click, and rich and pygments where they are installed.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
