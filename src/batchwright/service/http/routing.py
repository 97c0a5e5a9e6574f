"""A row of the route table: method, path, handler, and the OpenAPI description."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeAlias

from starlette.convertors import PathConvertor, register_url_convertor
from starlette.routing import Route

from batchwright.service.http.endpoint import Handler, endpoint
from batchwright.wire.base import Body


class _TextConvertor(PathConvertor):
    """The rest of a path, line breaks included: Starlette's own `path` ends at a line break."""

    regex = r"[\s\S]*"


register_url_convertor("text", _TextConvertor())


@dataclass(frozen=True)
class ArrayOf:
    """A bare array of bodies or of strings."""

    entry: type[Body] | type[str]


BodyModel: TypeAlias = type[Body] | ArrayOf | None
"""What a request or response carries: a body, a bare array, or nothing."""


@dataclass(frozen=True)
class ApiRoute:
    """One endpoint of the API. Errors that every endpoint may return are added by `openapi`."""

    method: str
    path: str
    handler: Handler
    responses: Mapping[HTTPStatus, BodyModel]
    """The successful responses."""
    request: type[Body] | None = None
    request_is_optional: bool = False
    """Whether the body may be left out."""
    accepts_jsonl: bool = False
    """Whether the body is JSONL instead of JSON."""
    required_query: tuple[str, ...] = ()
    optional_query: tuple[str, ...] = ()
    is_list: bool = False
    """Whether `limit` and `offset` select a part of the response."""
    errors: tuple[HTTPStatus, ...] = ()
    lists_item_problems: bool = False
    """Whether its 422 lists problems of layout items."""
    is_deprecated: bool = False
    allows_head: bool = True
    """Whether HEAD is answered like GET. A GET that creates something rejects it (405)."""
    operation_id: str = ""
    """The `operationId` in OpenAPI; by default module and name of the handler, such as `batches.get`."""

    def __post_init__(self) -> None:
        if not self.operation_id:
            module = self.handler.__module__.rpartition(".")[2]
            object.__setattr__(self, "operation_id", f"{module}.{self.handler.__name__}")

    @property
    def route(self) -> Route:
        """The route as Starlette serves it."""
        route = Route(self.path, endpoint(self.handler), methods=[self.method], name=self.operation_id)
        if not self.allows_head:
            route.methods = {self.method}
        return route
