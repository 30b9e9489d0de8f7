"""`inspector serve`: the app in a browser of the same machine.

The page and its guards are our own; of textual-serve come the terminal that runs in the page and the
talk with the app's process. Its own server asks nobody for a secret, and its page loads a font from
elsewhere.
"""

from __future__ import annotations

DRIVER = "inspector.app.served_driver:ServedDriver"
"""What draws the app for a browser; Textual takes it from the variable of the next line."""
DRIVER_VARIABLE = "TEXTUAL_DRIVER"
"""Environment variable that says how an app draws."""
