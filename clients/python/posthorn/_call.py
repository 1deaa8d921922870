"""Sends requests: authentication, retries and idempotency keys. Only the standard library."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from typing import Any, Dict, Mapping, Optional, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

UNSET: Any = type("Unset", (), {"__repr__": lambda self: "UNSET", "__bool__": lambda self: False})()
"""The argument was not given. ``None`` is sent as null."""

FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 20.0


class PosthornError(Exception):
    """The API refused a request, or could not be reached."""

    def __init__(self, message: str, *, status: int = 0, error: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(message)
        reported = error or {}
        self.message = message
        #: HTTP status; 0 if there was no response.
        self.status = status
        #: A stable code to match on, such as ``VALIDATION_ERROR``.
        self.code: str = str(reported.get("code", "NO_RESPONSE" if status == 0 else "UNKNOWN"))
        #: What is wrong with which field.
        self.errors = list(reported.get("errors") or [])
        self.details = reported.get("details")
        self.suggestion = reported.get("suggestion")
        self.request_id = reported.get("requestId")
        self.docs_url = reported.get("docsUrl")


class Call(Protocol):
    def __call__(
        self,
        method: str,
        place: str,
        *,
        path: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = UNSET,
        form: Optional[Mapping[str, Any]] = None,
        unchanged_since: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        idempotent: bool = False,
    ) -> Any: ...


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would send the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def create_call(key: Optional[str], base_url: str, *, retries: int, timeout: float, project_id: Optional[str]) -> Call:
    base = base_url.rstrip("/")
    opener = build_opener(_NoRedirects)

    def call(
        method: str,
        place: str,
        *,
        path: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = UNSET,
        form: Optional[Mapping[str, Any]] = None,
        unchanged_since: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        idempotent: bool = False,
    ) -> Any:
        headers: Dict[str, str] = {"User-Agent": "posthorn-python"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        if project_id:
            headers["X-Project-Id"] = project_id
        if unchanged_since is not None:
            headers["If-Match"] = f'"{unchanged_since}"'
        if idempotent:
            # The same key on each attempt, so that a lost response never causes a second email.
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
            headers["Idempotency-Replay"] = "true"
        content: Optional[bytes] = None
        if form is not None:
            content, headers["Content-Type"] = _multipart(_given(form))
        elif body is not UNSET:
            content = json.dumps(_given(body) if isinstance(body, dict) else body).encode()
            headers["Content-Type"] = "application/json"
            headers["Prefer"] = "handling=strict"
        url = base + _filled(place, path or {}) + _query_string(query or {})
        repeatable = method != "POST" or idempotent
        for attempt in range(retries + 1):
            is_last = attempt == retries
            pause = FIRST_PAUSE_SECONDS * 2**attempt * (0.5 + random.random() / 2)
            try:
                request = Request(url, data=content, headers=headers, method=method)
                with opener.open(request, timeout=timeout) as response:
                    return _content_of(response.read(), response.headers.get("Content-Type", ""))
            except HTTPError as error:
                refused = _refused(error)
                if is_last or not (error.code == 429 or (error.code == 503 and repeatable)):
                    raise refused from None
                wanted = error.headers.get("Retry-After", "")
                pause = float(wanted) if wanted.isdigit() else pause
                if pause > LONGEST_PAUSE_SECONDS:
                    raise refused from None
            except (URLError, TimeoutError, ConnectionError) as error:
                if is_last or not repeatable:
                    raise PosthornError(f"No response from {base}: {error}") from error
            time.sleep(pause)
        raise AssertionError("The last attempt returns or raises.")

    return call


def _given(values: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if value is not UNSET}


def _filled(place: str, values: Mapping[str, Any]) -> str:
    def segment(match: "re.Match[str]") -> str:
        value = str(values[match.group(1)])
        if value in ("", ".", ".."):
            raise ValueError(f"{match.group(1)} must not be {value!r}.")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", segment, place)


def _query_string(values: Mapping[str, Any]) -> str:
    pairs = []
    for name, value in _given(values).items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return "?" + urlencode(pairs) if pairs else ""


def _multipart(fields: Mapping[str, Any]) -> "tuple[bytes, str]":
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in fields.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
        if isinstance(value, bytes):
            parts.append(f'{head}; filename="{name}"\r\nContent-Type: application/octet-stream\r\n\r\n'.encode() + value)
        else:
            parts.append(f"{head}\r\n\r\n{value if isinstance(value, str) else json.dumps(value)}".encode())
    return b"\r\n".join(parts) + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _content_of(content: bytes, content_type: str) -> Any:
    if not content:
        return None
    if content_type.startswith("application/json"):
        return json.loads(content)
    return content.decode() if content_type.startswith("text/") else content


def _refused(response: HTTPError) -> PosthornError:
    """A proxy in front of the service may respond with something else than JSON."""
    try:
        body = json.loads(response.read())
    except ValueError:
        body = {}
    reported = body.get("error") if isinstance(body, dict) else None
    if isinstance(reported, str):
        return PosthornError(reported, status=response.code)
    message = reported.get("message") if isinstance(reported, dict) else None
    return PosthornError(message or f"The response was {response.code}.", status=response.code, error=reported)
