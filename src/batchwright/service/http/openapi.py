"""`GET /openapi.json`: the API in OpenAPI 3.1, made of the routes and the bodies in `wire`."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import cache
from http import HTTPStatus
from inspect import getdoc
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from batchwright.base.limits import (
    DEEPEST_RICH_TEXT,
    DEEPEST_TABLES,
    LARGEST_BODY,
    LONGEST_RICH_TEXT,
    MOST_CHARACTERS,
    MOST_ITEMS,
    MOST_MARKS,
    MOST_VALUES,
)
from batchwright.service.http.app_state import app_state
from batchwright.service.http.endpoint import Handler, name_of
from batchwright.service.http.operations import OPERATIONS, ArrayOf, EndpointSpec, Given
from batchwright.service.http.responses import json_response
from batchwright.wire.datapoints import JSONL_TYPES
from batchwright.wire.error_schemas import GENERAL_ERROR, LAYOUT_ERROR
from batchwright.wire.instructions import DEPRECATION_HEADERS

VERSION = "1.0.0"
"""Of the interface, not of this program (specification, Versioning 1)."""

_JSON = "application/json"
_REF = "#/components/schemas/{model}"
_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_ANYWHERE = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.INSUFFICIENT_STORAGE,
)
"""Responses that any call may give: invalid or too large request, invalid token, full disk."""
_WHERE_PATHS_VARY = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
"""What a value may lead to that is no part of a path, such as one with a slash in it."""

_LIMITS = (
    f"A body has at most {LARGEST_BODY} bytes (413), with {MOST_MARKS} commas and opening brackets (400)."
    f" A layout has at most {MOST_ITEMS} items, {MOST_VALUES} JSON values"
    f" and {MOST_CHARACTERS} characters (400)."
    f" A rich text has at most {LONGEST_RICH_TEXT} characters, as written and as HTML, with"
    f" {DEEPEST_RICH_TEXT} elements in each other, of them {DEEPEST_TABLES} tables and quotations (422)."
)

_Schema = dict[str, Any]


def openapi_endpoint(routes: Iterable[Route]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint that answers with the document of these routes; it needs no token."""
    listed = list(routes)

    @cache
    def of(base_url: str) -> _Schema:
        return document(listed, base_url)

    async def answer(request: Request) -> Response:
        return json_response(of(app_state(request).base_url))

    return answer


def document(routes: Iterable[Route], base_url: str) -> _Schema:
    """The document of these routes.

    Raises:
        KeyError: a route has no operation.
    """
    known = {name_of(handler): (handler, operation) for handler, operation in OPERATIONS.items()}
    models = sorted(
        {model for one in OPERATIONS.values() for model in _models(one)}, key=lambda m: m.__name__
    )
    _refs, defined = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    paths: dict[str, _Schema] = {}
    for route in routes:
        handler, operation = known[route.name]
        for method in sorted(set(route.methods or ()) - {"HEAD"}):
            path = paths.setdefault(_PARAMETER.sub(r"{\1}", route.path), {})
            path[method.lower()] = _described(route, handler, operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Batchwright", "version": VERSION, "description": _LIMITS},
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {
            "schemas": {
                **_without_idle_defaults(defined.get("$defs", {})),
                "GeneralError": GENERAL_ERROR,
                "LayoutError": LAYOUT_ERROR,
            },
            "securitySchemes": {
                "token": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Authorization",
                    "description": "`Token`, a space, and the token.",
                }
            },
        },
        "security": [{"token": []}],
    }


def _models(operation: EndpointSpec) -> Iterator[type[BaseModel]]:
    """The bodies that an operation names."""
    for given in (operation.takes, *operation.answers.values()):
        one = given.entry if isinstance(given, ArrayOf) else given
        if one is not None and issubclass(one, BaseModel):
            yield one


def _described(route: Route, handler: Handler, operation: EndpointSpec) -> _Schema:
    named = _PARAMETER.findall(route.path)
    described: _Schema = {
        "operationId": f"{handler.__module__.rpartition('.')[2]}.{handler.__name__}",
        "summary": (getdoc(handler) or "").partition("\n\n")[0].replace("\n", " "),
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": _text()} for name in named),
            *({"name": name, "in": "query", "required": True, "schema": _text()} for name in operation.query),
            *(
                {"name": name, "in": "query", "required": False, "schema": _text()}
                for name in operation.optional_query
            ),
            *(_cut(name) for name in ("limit", "offset") if operation.is_list),
        ],
        "responses": _responses(operation, varies=bool(named)),
    }
    if operation.takes or operation.takes_lines:
        described["requestBody"] = {"required": not operation.may_be_empty, "content": _content(operation)}
    if operation.is_deprecated:
        described["deprecated"] = True
    return described


def _text() -> _Schema:
    return {"type": "string", "minLength": 1}


def _cut(name: str) -> _Schema:
    schema = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _content(operation: EndpointSpec) -> _Schema:
    """What a call takes."""
    if operation.takes_lines:
        lines = {"type": "string", "description": "One JSON object on each line, at most 1,000."}
        return {media: {"schema": lines} for media in sorted(JSONL_TYPES)}
    return {_JSON: {"schema": _schema_of(operation.takes)}}


def _responses(operation: EndpointSpec, *, varies: bool) -> _Schema:
    responses = {
        str(status.value): _response(status, None if given is None else _schema_of(given), operation)
        for status, given in operation.answers.items()
    }
    for status in {*_ANYWHERE, *operation.refusals, *(_WHERE_PATHS_VARY if varies else ())}:
        is_layout = operation.refuses_items and status is HTTPStatus.UNPROCESSABLE_ENTITY
        schema = {"$ref": _REF.format(model="LayoutError" if is_layout else "GeneralError")}
        responses[str(status.value)] = _response(status, schema, operation)
    return dict(sorted(responses.items()))


def _response(status: HTTPStatus, schema: _Schema | None, operation: EndpointSpec) -> _Schema:
    response: _Schema = {"description": status.phrase}
    if schema is not None:
        response["content"] = {_JSON: {"schema": schema}}
    if operation.is_deprecated:
        response["headers"] = {
            name: {"required": True, "schema": {"type": "string", "const": value}}
            for name, value in DEPRECATION_HEADERS.items()
        }
    return response


def _schema_of(given: Given) -> _Schema:
    """A reference to a body, an array of them, or an array of texts."""
    if isinstance(given, ArrayOf):
        entry = given.entry
        items = _schema_of(entry) if issubclass(entry, BaseModel) else {"type": "string"}
        return {"type": "array", "items": items}
    return {"$ref": _REF.format(model=_name(given))}


def _name(model: Any) -> str:
    """What pydantic calls a body: the name of a generic one without its brackets."""
    return re.sub(r"[^a-zA-Z0-9.\-_]", "_", model.__name__)


def _without_idle_defaults(value: Any) -> Any:
    """A schema without `default: null`, which says nothing: the key is simply absent."""
    if isinstance(value, Mapping):
        return {
            key: _without_idle_defaults(inner)
            for key, inner in value.items()
            if not (key == "default" and inner is None)
        }
    return [_without_idle_defaults(inner) for inner in value] if isinstance(value, list) else value
