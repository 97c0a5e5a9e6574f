"""Sending a browser on after a form, so that loading the next page again sends nothing twice."""

from http import HTTPStatus

from starlette.responses import Response


def redirect_303(location: str) -> Response:
    """Go there and read; the path is given as it is, below whatever host the browser asked."""
    return Response(
        status_code=HTTPStatus.SEE_OTHER, headers={"Location": location, "Cache-Control": "no-store"}
    )
