"""Who may ask: only this machine, only with the secret of the address, only from our own page.

Any program and any web page of the machine can reach a port on loopback, so the port alone keeps
nobody out. A page that has its name point to 127.0.0.1 (DNS rebinding) still sends its own name as
host, and a page that opens a websocket sends its own address as origin.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets

from inspector.errors import UsageError

TOKEN_BYTES = 32
"""Random bytes of the secret."""
LOCALHOST = "localhost"
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::([0-9]{1,5}))?")
"""A `Host` header: name or address, and port. Nothing in it has a meaning in HTML or in a header."""


def new_token() -> str:
    """A fresh secret, fit for the path of an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def is_token(given: str, token: str) -> bool:
    """Whether somebody knows the secret; takes as long for a near miss as for a far one.

    Args:
        given: What they sent.
        token: The secret.
    """
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode("utf-8"))


def loopback_address(host: str) -> str:
    """The address to listen on.

    Args:
        host: What the person asked for: `localhost`, or a loopback address.

    Raises:
        UsageError: Others than this machine could reach it.
    """
    # The name is not looked up: what it stands for is a matter of the system's settings.
    words = "127.0.0.1" if host.lower() == LOCALHOST else host.strip("[]")
    try:
        address = ipaddress.ip_address(words)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise UsageError(
            f"--host {host}: the app is served to this machine only (127.0.0.1, ::1 or localhost); "
            "from another one use `ssh -L PORT:127.0.0.1:PORT`"
        )
    return str(address)


def is_own_host(header: str) -> bool:
    """Whether a request was sent to this machine by a name of its own.

    Any port will do: behind a forwarded port the browser names the port of its own side.

    Args:
        header: The `Host` header; empty where there is none.
    """
    match = _HOST.fullmatch(header)
    if match is None:
        return False
    name = match[1].strip("[]").lower()
    if name == LOCALHOST:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_own_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from our own page, or from something that is no page.

    Args:
        origin: The `Origin` header. A browser sends it with every websocket and every request that a
            page of another origin makes; None: there is none.
        host: The `Host` header, which was found to be our own.
    """
    return origin is None or origin.lower() == f"http://{host.lower()}"
