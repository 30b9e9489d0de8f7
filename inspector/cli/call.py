"""One call of the command line: its arguments, its command, its exit code.

Results go to stdout, everything said to a person to stderr. A command is imported when it is run,
and the app only by the commands that open it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from inspector.alphabet import charset_of
from inspector.cli.arguments import parsed
from inspector.cli.output import Output
from inspector.errors import InspectorError

EXIT_OK = 0
EXIT_UNUSABLE = 2
EXIT_FAULT = 3


def call(words: Sequence[str]) -> int:
    """Run a command.

    Args:
        words: Arguments without the program's name.

    Returns:
        The exit code: 0 fine, 1 `check` found something of a failing kind, 2 the call or its input
        cannot be used, 3 a fault of our own.
    """
    output = Output(sys.stdout, sys.stderr)
    try:
        code = _run(words, output)
        output.flush()
        return code
    except InspectorError as error:
        output.say(f"inspector: {error}")
        return EXIT_UNUSABLE
    except BrokenPipeError:
        output.abandon()  # the reader left; that is no error of ours
        return EXIT_OK
    except OSError as error:  # a full disk behind stdout, a file that went away under way
        output.say(f"inspector: {error}")
        return EXIT_UNUSABLE
    except KeyboardInterrupt:
        output.say("inspector: stopped")
        return 130
    except Exception as fault:  # the last resort: people get a sentence, a traceback only if they ask
        from inspector.cli.faults import fault_words

        debug = "--debug" in words
        output.say(f"inspector: {fault_words(fault, debug=debug, environment=os.environ)}")
        return EXIT_FAULT


def _run(words: Sequence[str], output: Output) -> int:
    try:
        arguments = parsed(words)
    except SystemExit:  # --help and --version have printed what was asked for
        return EXIT_OK
    output.charset = charset_of(
        getattr(arguments, "ascii", None), os.environ, output.encoding, terminal=output.is_terminal
    )
    code: int = arguments.run(arguments, output)
    return code
