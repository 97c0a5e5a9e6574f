"""Model of the owner of a token (wire reference, section 3.1)."""

from batchwright.wire.base import ResponseBody


class User(ResponseBody):
    """GET `/users/me/`: only `id` and `email` are always present."""

    id: str
    email: str
    name: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    username: str | None = None
    user_type: str | None = None
    currency_code: str | None = None
    balance: int | None = None
    """In the smallest unit of the currency."""
    available_balance: int | None = None
    """In the smallest unit of the currency."""
