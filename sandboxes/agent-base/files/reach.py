"""What an agent asks of the gateway: its trial, the model, the tools, and to hand in a reply.

Deliberate: the standard library only. The clients of `openai` and `mcp` would add seconds of
imports to the start of every trial; the few requests that are needed here are plain HTTP.
"""

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any

from relay import DEFAULT_PORT

PROTOCOL_VERSION = "2025-11-25"
JSON = "application/json"
FORBIDDEN = 403


class TrialOverError(Exception):
    """The trial has ended: a limit was reached, or an answer was given."""


class GatewayError(Exception):
    """The gateway answered with an error."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text
        super().__init__(f"the gateway answered {status}: {text[:2000]}")


class ToolError(Exception):
    """A tool could not be called, for example because there is none of that name."""


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket; the address in the Host header is the relay's."""

    def __init__(self, path: str) -> None:
        super().__init__("127.0.0.1", DEFAULT_PORT)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket instead of the address."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)


class Gateway:
    """The gateway behind one Unix socket: the one of this trial."""

    def __init__(self, path: str) -> None:
        self._path = path

    def trial(self) -> dict[str, Any]:
        """Return task_id, trial, prompt, system, model, tools, user and agent."""
        trial: dict[str, Any] = self.ask("GET", "/trial")
        return trial

    def chat(self, body: dict[str, Any]) -> dict[str, Any]:
        """Ask the model; returns the first choice, `{message, finish_reason}`."""
        answer = self.ask("POST", "/v1/chat/completions", body)
        choice: dict[str, Any] = answer["choices"][0]
        return choice

    def reply(self, content: str, finish_reason: str | None = None) -> str | None:
        """Give the user a reply; returns what the user says to it, None at the end."""
        body: dict[str, Any] = {"content": content}
        if finish_reason is not None:
            body["finish_reason"] = finish_reason
        answer: str | None = self.ask("POST", "/reply", body).get("user")
        return answer

    def submit(self, content: str) -> None:
        """Hand in the final answer."""
        self.ask("POST", "/submit", {"content": content})

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send JSON and return the JSON of the answer.

        Raises:
            TrialOverError: the trial has ended.
            GatewayError: any other error.
        """
        _, text = self.exchange(method, path, body)
        return json.loads(text)

    def exchange(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        headers: dict[str, str] | None = None,
    ) -> tuple[http.client.HTTPMessage, str]:
        """Send JSON on a connection of its own; returns the headers and text of the answer."""
        connection = _UnixConnection(self._path)
        sent = {"Content-Type": JSON, "Accept": JSON, "Connection": "close", **(headers or {})}
        try:
            payload = None if body is None else json.dumps(body).encode()
            connection.request(method, path, payload, sent)
            response = connection.getresponse()
            text = response.read().decode(errors="backslashreplace")
        finally:
            connection.close()
        if response.status >= http.client.BAD_REQUEST:
            _raise(response.status, text)
        return response.headers, text


def _raise(status: int, text: str) -> None:
    try:
        error = json.loads(text)["error"]
        is_over = status == FORBIDDEN and error["type"] == "trial_limit"
    except (ValueError, KeyError, TypeError):
        is_over = False
    if is_over:
        raise TrialOverError(text)
    raise GatewayError(status, text)


class Tools:
    """The scenario's tools, over MCP's streamable HTTP."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._headers = {"Accept": f"{JSON}, text/event-stream"}
        self._last_id = 0
        client = {"name": "trajaudit-agent", "version": "1"}
        hello = {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client}
        headers, result = self._request("initialize", hello)
        self._headers["MCP-Protocol-Version"] = result["protocolVersion"]
        if session := headers.get("Mcp-Session-Id"):
            self._headers["Mcp-Session-Id"] = session
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def list(self) -> list[dict[str, Any]]:
        """Return every tool's name, description and inputSchema."""
        tools: list[dict[str, Any]] = []
        cursor: dict[str, Any] = {}
        while True:
            _, page = self._request("tools/list", cursor)
            tools += page["tools"]
            if not page.get("nextCursor"):
                return tools
            cursor = {"cursor": page["nextCursor"]}

    def call(self, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        """Call a tool; returns its text, and whether it says that it failed.

        Raises:
            ToolError: there is no such tool, or it did not accept the call.
        """
        _, result = self._request("tools/call", {"name": name, "arguments": arguments})
        return "\n".join(_texts(result.get("content") or ())), bool(result.get("isError"))

    def _request(
        self, method: str, params: dict[str, Any]
    ) -> tuple[http.client.HTTPMessage, dict[str, Any]]:
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        headers, text = self._post(message)
        for answer in _messages(headers, text):
            if answer.get("id") == self._last_id and "method" not in answer:
                if "error" in answer:
                    raise ToolError(str(answer["error"].get("message")))
                return headers, answer["result"]
        raise GatewayError(200, f"no answer to {method}: {text}")

    def _post(self, message: dict[str, Any]) -> tuple[http.client.HTTPMessage, str]:
        return self._gateway.exchange("POST", "/mcp", message, self._headers)


def _messages(headers: http.client.HTTPMessage, text: str) -> Iterator[dict[str, Any]]:
    if headers.get_content_type() != "text/event-stream":
        yield json.loads(text)
        return
    for event in text.replace("\r\n", "\n").split("\n\n"):
        data = [line[5:].strip() for line in event.split("\n") if line.startswith("data:")]
        if any(data):
            yield json.loads("\n".join(data))


def _texts(content: Any) -> Iterator[str]:
    for part in content:
        yield part["text"] if part.get("type") == "text" else json.dumps(part)
