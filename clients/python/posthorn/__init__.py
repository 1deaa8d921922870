"""The client for Posthorn, the self-hostable email platform."""

from __future__ import annotations

import os
from typing import Optional

from ._call import UNSET, PosthornError, create_call
from .resources import Resources
from .webhooks import InvalidSignature, verify

__all__ = ["Posthorn", "PosthornError", "InvalidSignature", "verify", "UNSET"]


class Posthorn(Resources):
    """Has a group of methods for each resource, such as ``posthorn.emails.send(…)``.

    ``key`` and ``base_url`` default to ``POSTHORN_SECRET_KEY`` and ``POSTHORN_URL``. Requests that can be repeated safely are
    retried after a connection error, a timeout, 429 or 503.
    """

    def __init__(
        self,
        key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        retries: int = 2,
        timeout: float = 30.0,
        project_id: Optional[str] = None,
    ) -> None:
        super().__init__(
            create_call(
                key or os.environ.get("POSTHORN_SECRET_KEY"),
                base_url or os.environ.get("POSTHORN_URL") or "http://127.0.0.1:3000",
                retries=retries,
                timeout=timeout,
                project_id=project_id,
            )
        )
