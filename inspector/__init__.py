"""The debugger for an agent's context window, and the tool-result pipeline as a library.

Importing this package loads neither Textual nor any reader: public names are resolved on first
use, so that headless commands and agent loops start quickly.
"""

__version__ = "0.1.0"
