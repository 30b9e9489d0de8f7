"""The page that holds the terminal, and the headers that keep it to itself.

It has nothing of a session in it but the escaped title, and asks nobody but its own server: the font
lies beside the terminal's script, and the policy in its headers forbids all else. Addresses that a
session's text shows are no links here: the sandbox lets no page be opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from string import Template

STATIC_FILES = frozenset(
    {
        "css/xterm.css",
        "js/textual.js",
        "fonts/RobotoMono-VariableFont_wght.ttf",
        "fonts/RobotoMono-Italic-VariableFont_wght.ttf",
    }
)
"""Files of textual-serve that the page needs; no other is handed out."""

LEAST_FONT_PX, FONT_PX, MOST_FONT_PX = 6, 15, 48

# The terminal's script opens downloads in a window of their own, by which it would also follow links.
_SCRIPT = """
window.open = (address) => {
  const url = address ? new URL(address, location.href) : null;
  if (url && url.origin === location.origin && url.pathname.startsWith("/download/")) {
    const link = document.createElement("a");
    link.href = url.href;
    link.download = "";
    link.click();
  }
  return null;
};
window.addEventListener("DOMContentLoaded", () => {
  document.getElementById("again").addEventListener("click", () => location.reload());
  new MutationObserver((_changes, observer) => {
    const typed = document.querySelector(".xterm-helper-textarea");
    if (typed && document.body.classList.contains("-first-byte")) {
      observer.disconnect();
      typed.focus();
    }
  }).observe(document.body, {attributes: true, attributeFilter: ["class"]});
});
"""

_STYLE = """
@font-face { font-family: "Roboto Mono"; font-weight: 100 700;
  src: url("static/fonts/RobotoMono-VariableFont_wght.ttf"); }
@font-face { font-family: "Roboto Mono"; font-weight: 100 700; font-style: italic;
  src: url("static/fonts/RobotoMono-Italic-VariableFont_wght.ttf"); }
html, body { margin: 0; height: 100%; background: #14171c; color: #cfd5de; overflow: hidden;
  font: 15px "Roboto Mono", monospace; }
#terminal { position: absolute; inset: 0; }
#wait { position: absolute; inset: 40% 0 auto; text-align: center; }
body.-first-byte #wait { display: none; }
#ended { display: none; position: absolute; inset: auto 0 0; padding: 12px 16px; z-index: 20;
  background: #232933; }
body.-closed #ended { display: block; }
#again { font: inherit; margin-left: 16px; padding: 4px 16px; border: 0; color: #14171c;
  background: #79b8ff; cursor: pointer; }
"""

_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<link rel="icon" href="data:,">
<link rel="preload" as="font" type="font/ttf" crossorigin
  href="static/fonts/RobotoMono-VariableFont_wght.ttf">
<link rel="stylesheet" href="static/css/xterm.css">
<style>$style</style>
<script nonce="$nonce">$script</script>
<script src="static/js/textual.js"></script>
</head>
<body>
<div id="wait">inspector is starting …</div>
<div id="terminal" class="textual-terminal" data-session-websocket-url="$websocket"
  data-font-size="$font"></div>
<div id="ended">The app has ended. <button id="again" type="button">Start again</button></div>
<button id="start" hidden></button>
</body>
</html>
""")


def page(title: str, websocket: str, nonce: str, font_px: int = FONT_PX) -> str:
    """The page.

    Args:
        title: Untrusted words for the browser's tab.
        websocket: Address that the terminal connects to.
        nonce: What marks our script as ours; the same as in `page_headers`.
        font_px: Size of the letters, kept within what can be read.
    """
    return _PAGE.substitute(
        title=escape(title),
        websocket=escape(websocket),
        nonce=escape(nonce),
        font=max(LEAST_FONT_PX, min(font_px, MOST_FONT_PX)),
        script=_SCRIPT,
        style=_STYLE,
    )


COMMON_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "clipboard-read=(), camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every answer. Without a referrer the secret in the address goes nowhere."""


def page_headers(host: str, nonce: str) -> dict[str, str]:
    """Headers of the page.

    Args:
        host: The `Host` header of the request, which was found to be our own.
        nonce: Random words, new for each answer.
    """
    # The terminal makes style elements of its own, which no nonce can mark.
    policy = (
        "default-src 'none'; "
        f"script-src 'self' 'nonce-{nonce}'; "
        "style-src 'self' 'unsafe-inline'; "
        "font-src 'self'; "
        "img-src data:; "
        f"connect-src ws://{host}; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
        "sandbox allow-scripts allow-same-origin allow-downloads"
    )
    return {"Content-Security-Policy": policy}
