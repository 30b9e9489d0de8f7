"""The generator of the sample sessions: an invented shop, its logs, and stand-ins for the clients that record them."""
