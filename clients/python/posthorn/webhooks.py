"""Verifies the requests of webhook endpoints (standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Union

TOLERANCE_SECONDS = 300


class InvalidSignature(Exception):
    """The request is not from Posthorn, or is too old."""


def verify(body: Union[bytes, str], headers: Mapping[str, str], secret: str) -> Any:
    """Returns the parsed body. ``body`` must be exactly what was received."""
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp = lower["webhook-id"], lower["webhook-timestamp"]
        signatures = lower["webhook-signature"].split(" ")
        age = abs(time.time() - int(timestamp))
    except (KeyError, ValueError):
        raise InvalidSignature("A webhook-… header is missing or malformed.") from None
    if age > TOLERANCE_SECONDS:
        raise InvalidSignature("The request is more than five minutes old, or the clock is wrong.")
    content = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    # While a secret is being replaced, a request has a signature of each.
    if not any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures):
        raise InvalidSignature("No signature matches. Is it the secret of this endpoint, and the body unchanged?")
    return json.loads(content)
