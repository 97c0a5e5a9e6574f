"""A participant whose browser runs no scripts: follows links, fills in and submits forms."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from tests.service.independent_client.client import Client, Response

AnswerValue = (
    Any  # a label, labels, a text, (text, unit label), {label: explanation}, or [(file name, bytes)]
)


@dataclass
class Control:
    name: str
    kind: str
    value: str = ""
    label: str = ""
    choices: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Question:
    """A question on a page, with its form controls."""

    text: str = ""
    controls: list[Control] = field(default_factory=list)


class Page(HTMLParser):
    """The parsed form of a page: action, hidden fields and questions."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.action = ""
        self.multipart = False
        self.state = ""
        self.hidden: list[tuple[str, str]] = []
        self.questions: list[Question] = []
        self._on_text: Callable[[str], None] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "main":
            self.state = attributes.get("data-state", "")
        elif tag == "form":
            self.action = attributes["action"]
            self.multipart = attributes.get("enctype") == "multipart/form-data"
        elif "data-question" in attributes:
            self.questions.append(Question())
        elif tag == "legend" or attributes.get("class") == "asks":
            self._on_text = self._add_question_text
        elif tag in ("input", "textarea", "select"):
            self._control(tag, attributes)
        elif tag == "option":
            self._on_text = self._adds_choice(attributes["value"])
        elif tag == "span" and self.questions and self.questions[-1].controls:
            self._on_text = self._add_label

    def _control(self, tag: str, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "text") if tag == "input" else tag
        if kind == "hidden":
            self.hidden.append((attributes["name"], attributes["value"]))
        elif self.questions:
            control = Control(attributes["name"], kind, attributes.get("value", ""))
            self.questions[-1].controls.append(control)

    def _add_question_text(self, text: str) -> None:
        self.questions[-1].text += text

    def _add_label(self, text: str) -> None:
        self.questions[-1].controls[-1].label += text

    def _adds_choice(self, value: str) -> Callable[[str], None]:
        return lambda text: self.questions[-1].controls[-1].choices.append((value, text))

    def handle_data(self, data: str) -> None:
        if self._on_text:
            self._on_text(data.strip())

    def handle_endtag(self, tag: str) -> None:
        self._on_text = None


def filled_in(
    question: Question, response: AnswerValue
) -> tuple[list[tuple[str, str]], list[tuple[str, str, bytes]]]:
    """The fields and files that a browser would submit for one question."""
    first, last = question.controls[0], question.controls[-1]
    if last.kind == "file":
        return [], [(last.name, name, body) for name, body in response]
    if first.kind in ("checkbox", "radio", "select"):
        labels = [response] if isinstance(response, str) else response
        chosen: dict[str, str] = response if isinstance(response, dict) else dict.fromkeys(labels, "")
        offered = [
            (control.name, value, label)
            for control in question.controls
            if control.kind in ("checkbox", "radio", "select")
            for value, label in (control.choices or [(control.value, control.label)])
        ]
        fields = [(name, value) for name, value, label in offered if label in chosen]
        assert len(fields) == len(chosen), (chosen, offered)
        explained = {value: chosen[label] for _, value, label in offered if chosen.get(label)}
        return fields + [(f"{first.name}.e{value}", text) for value, text in explained.items()], []
    if len(question.controls) == 2:
        amount, unit = response
        value = next(value for value, label in last.choices if label == unit)
        return [(first.name, amount), (last.name, value)], []
    return [(first.name, response)], []


class Participant:
    """A participant with a link and cookies."""

    def __init__(self, client: Client, link: str) -> None:
        self._client = client
        self._cookies: dict[str, str] = {}
        self.page = self._open(urlsplit(link)._replace(scheme="", netloc="").geturl())

    def _exchange(
        self, method: str, path: str, body: bytes | None = None, content_type: str = ""
    ) -> Response:
        headers = {"Content-Type": content_type} if content_type else {}
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        response = self._client.exchange(self._client.base, method, path, body, headers)
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.split(";")[0].partition("=")
            self._cookies[name] = value
        return response

    def _open(self, path: str) -> Page:
        return self._page_of(self._exchange("GET", path))

    def _page_of(self, response: AnswerValue) -> Page:
        if response.status == 303:
            return self._open(response.headers["Location"])
        assert response.headers.get_content_type() == "text/html"
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
        self.status = response.status
        return Page(response.body.decode())

    def start(self) -> Page:
        self.page = self._page_of(
            self._exchange(
                "POST",
                self.page.action,
                urlencode(self.page.hidden).encode(),
                "application/x-www-form-urlencoded",
            )
        )
        return self.page

    def answer(self, answers: dict[str, AnswerValue]) -> Page:
        """Fill in the questions of the page and submit it."""
        fields = list(self.page.hidden)
        files: list[tuple[str, str, bytes]] = []
        for question in self.page.questions:
            if question.text in answers:
                more_fields, more_files = filled_in(question, answers[question.text])
                fields += more_fields
                files += more_files
        boundary = uuid4().hex
        body = multipart(fields, files, boundary)
        self.page = self._page_of(
            self._exchange("POST", self.page.action, body, f"multipart/form-data; boundary={boundary}")
        )
        return self.page

    def answer_all(self, answers: dict[str, AnswerValue]) -> int:
        """Answer pages until none is left; returns how many there were."""
        self.start()
        pages = 0
        while self.page.action and self.page.state == "page":
            self.answer(answers)
            assert self.status == 200, re.findall(r'class="fault"[^>]*>([^<]+)<', self.page.html)
            pages += 1
        return pages


def multipart(fields: list[tuple[str, str]], files: list[tuple[str, str, bytes]], boundary: str) -> bytes:
    parts = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode() for name, value in fields
    ] + [
        f'Content-Disposition: form-data; name="{name}"; filename="{file}"\r\n'
        f"Content-Type: application/octet-stream\r\n\r\n".encode()
        + body
        for name, file, body in files
    ]
    boundary_line = f"--{boundary}\r\n".encode()
    return b"".join(boundary_line + field + b"\r\n" for field in parts) + f"--{boundary}--\r\n".encode()


def participant(client: Client, resource: str) -> Participant:
    """A new participant with the link of a batch or a collection."""
    link = client.expect(200, "GET", f"/local/v1/{resource}/participation")["url"]
    return Participant(client, link)
