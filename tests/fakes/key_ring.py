"""Key rings in memory: one that works, and one that fails."""

import threading


class MemoryRing:
    """A key ring in memory that records the threads on which it is used."""

    def __init__(self) -> None:
        self.passwords: dict[tuple[str, str], str] = {}
        self.threads: set[int] = set()

    def get_password(self, service: str, username: str) -> str | None:
        self.threads.add(threading.get_ident())
        return self.passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.threads.add(threading.get_ident())
        self.passwords[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.passwords[service, username]


class FailingRing(MemoryRing):
    """A key ring that raises an error with the secret in its message."""

    def __init__(self, error: type[Exception]) -> None:
        super().__init__()
        self._error = error

    def get_password(self, service: str, username: str) -> str | None:
        raise self._error(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        raise self._error(username)
