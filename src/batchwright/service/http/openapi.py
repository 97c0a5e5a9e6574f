"""`GET /openapi.json`: the OpenAPI 3.1 document, generated from the route table and the models in `wire`."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from inspect import getdoc
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.limits import (
    DEEPEST_RICH_TEXT,
    DEEPEST_TABLES,
    LARGEST_BODY,
    LONGEST_RICH_TEXT,
    MAX_CHARACTERS,
    MAX_ITEMS,
    MAX_JSON_KEYS,
    MAX_JSON_TOKENS,
    MAX_VALUES,
)
from batchwright.service.http.app_state import app_state
from batchwright.service.http.responses import json_response
from batchwright.service.http.routing import ApiRoute, ArrayOf, BodyModel
from batchwright.wire.datapoints import JSONL_TYPES
from batchwright.wire.errors import GENERAL_ERROR, LAYOUT_ERROR
from batchwright.wire.instructions import DEPRECATION_HEADERS

VERSION = "1.0.0"
"""The version of the API, not of this program (specification, Versioning 1)."""

_JSON = "application/json"
_REF = "#/components/schemas/{model}"
_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_COMMON_ERRORS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.EXPECTATION_FAILED,
    HTTPStatus.INSUFFICIENT_STORAGE,
)
"""Errors of any endpoint: invalid, too large or encoded request, invalid token, full disk."""
_PATH_ERRORS = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
"""Errors of endpoints with a path parameter, such as a value that contains a slash."""

_LIMITS = (
    f"A body has at most {LARGEST_BODY} bytes (413), and {MAX_JSON_TOKENS} commas and opening brackets"
    f" and {MAX_JSON_KEYS} keys (400)."
    f" A layout has at most {MAX_ITEMS} items, {MAX_VALUES} JSON values"
    f" and {MAX_CHARACTERS} characters (400)."
    f" A rich text has at most {LONGEST_RICH_TEXT} characters, as written and as HTML, with"
    f" {DEEPEST_RICH_TEXT} elements in each other, of them {DEEPEST_TABLES} tables and quotations (422)."
)

_Schema = dict[str, Any]


def openapi_endpoint(routes: Iterable[ApiRoute]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint that returns the OpenAPI document of these routes; it needs no token."""
    api_routes = list(routes)

    @cache
    def document_for(base_url: str) -> _Schema:
        return document(api_routes, base_url)

    async def respond(request: Request) -> Response:
        return json_response(document_for(app_state(request).base_url))

    return respond


def document(routes: Sequence[ApiRoute], base_url: str) -> _Schema:
    """The OpenAPI document of these routes."""
    models = sorted({model for route in routes for model in _models(route)}, key=lambda m: m.__name__)
    _refs, defined = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    paths: dict[str, _Schema] = {}
    for route in routes:
        path = paths.setdefault(_PARAMETER.sub(r"{\1}", route.path), {})
        path[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Batchwright", "version": VERSION, "description": _LIMITS},
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {
            "schemas": {
                **_without_null_defaults(defined.get("$defs", {})),
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


def _models(route: ApiRoute) -> Iterator[type[BaseModel]]:
    """The models of a route's request and responses."""
    for body in (route.request, *route.responses.values()):
        model = body.entry if isinstance(body, ArrayOf) else body
        if model is not None and issubclass(model, BaseModel):
            yield model


def _operation(route: ApiRoute) -> _Schema:
    path_names = _PARAMETER.findall(route.path)
    operation: _Schema = {
        "operationId": route.operation_id,
        "summary": (getdoc(route.handler) or "").partition("\n\n")[0].replace("\n", " "),
        "parameters": [
            *(_parameter(name, "path", required=True) for name in path_names),
            *(_parameter(name, "query", required=True) for name in route.required_query),
            *(_parameter(name, "query", required=False) for name in route.optional_query),
            *(_page_parameter(name) for name in ("limit", "offset") if route.is_list),
        ],
        "responses": _responses(route, has_path_parameters=bool(path_names)),
    }
    if route.request or route.accepts_jsonl:
        operation["requestBody"] = {
            "required": not route.request_is_optional,
            "content": _request_content(route),
        }
    if route.is_deprecated:
        operation["deprecated"] = True
    return operation


def _parameter(name: str, location: str, *, required: bool) -> _Schema:
    return {"name": name, "in": location, "required": required, "schema": {"type": "string", "minLength": 1}}


def _page_parameter(name: str) -> _Schema:
    schema = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _request_content(route: ApiRoute) -> _Schema:
    """The media types of a request's body, with their schemas."""
    if route.accepts_jsonl:
        lines = {"type": "string", "description": "One JSON object on each line, at most 1,000."}
        return {media: {"schema": lines} for media in sorted(JSONL_TYPES)}
    return {_JSON: {"schema": _schema_of(route.request)}}


def _responses(route: ApiRoute, *, has_path_parameters: bool) -> _Schema:
    responses = {
        str(status.value): _response(status, None if body is None else _schema_of(body), route)
        for status, body in route.responses.items()
    }
    common = (*_COMMON_ERRORS, *(_PATH_ERRORS if has_path_parameters else ()))
    for status in {*common, *route.errors}:
        is_layout = route.lists_item_problems and status is HTTPStatus.UNPROCESSABLE_ENTITY
        schema = {"$ref": _REF.format(model="LayoutError" if is_layout else "GeneralError")}
        responses[str(status.value)] = _response(status, schema, route)
    return dict(sorted(responses.items()))


def _response(status: HTTPStatus, schema: _Schema | None, route: ApiRoute) -> _Schema:
    response: _Schema = {"description": status.phrase}
    if schema is not None:
        response["content"] = {_JSON: {"schema": schema}}
    if route.is_deprecated:
        response["headers"] = {
            name: {"required": True, "schema": {"type": "string", "const": value}}
            for name, value in DEPRECATION_HEADERS.items()
        }
    return response


def _schema_of(body: BodyModel) -> _Schema:
    """A reference to a body, an array of them, or an array of strings."""
    if isinstance(body, ArrayOf):
        entry = body.entry
        items = _schema_of(entry) if issubclass(entry, BaseModel) else {"type": "string"}
        return {"type": "array", "items": items}
    return {"$ref": _REF.format(model=_name(body))}


def _name(model: Any) -> str:
    """The name that pydantic gives a model: for a generic one, without brackets."""
    return re.sub(r"[^a-zA-Z0-9.\-_]", "_", model.__name__)


def _without_null_defaults(value: Any) -> Any:
    """A schema without `default: null`, which has no meaning: the key is simply absent."""
    if isinstance(value, Mapping):
        return {
            key: _without_null_defaults(inner)
            for key, inner in value.items()
            if not (key == "default" and inner is None)
        }
    return [_without_null_defaults(inner) for inner in value] if isinstance(value, list) else value
