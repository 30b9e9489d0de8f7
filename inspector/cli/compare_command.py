"""`inspector compare`: two policies over one session, or two requests against each other."""

from __future__ import annotations

import argparse
from pathlib import Path

from inspector.cli.commands import opened_session
from inspector.cli.named import session_path
from inspector.cli.output import Output
from inspector.errors import UsageError
from inspector.session import default_policy
from inspector.session.policy_file import policy_named
from inspector.session.replays import RECORDED, recorded_policy


def compare(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector compare`: two policies over one session."""
    from inspector.report.compare import compare_data, compare_policies, compare_text
    from inspector.report.json_text import json_text

    if arguments.other is not None or arguments.request is not None:
        return _compare_requests(arguments, output)
    if arguments.against is not None or arguments.recorded or arguments.agent:
        raise UsageError("--against, --recorded and --agent are about two requests: add --request N")
    names = arguments.policies
    if not 1 <= len(names) <= 2:
        raise UsageError("compare wants --policy A --policy B (or only B)")
    with opened_session(session_path(arguments), arguments, output) as session:
        recorded = recorded_policy(default_policy(session.kind))
        found = [recorded if name == RECORDED else policy_named(name) for name in names]
        a, b = found if len(found) == 2 else (session.policy, found[0])
        comparison = compare_policies(session, a, b)
        if arguments.json:
            output.data(json_text(compare_data(session, comparison)))
        else:
            output.text(compare_text(session, comparison))
    return 0


def _compare_requests(arguments: argparse.Namespace, output: Output) -> int:
    """Two requests of a session, or two files that hold a request body each."""
    from inspector.report.json_text import json_text
    from inspector.report.requests import request_diff_data, request_diff_text
    from inspector.session.request_pair import request_pair, two_bodies

    if arguments.policies:
        raise UsageError("two requests are compared under one policy: leave --policy out")
    if arguments.other is not None:
        if arguments.request is not None or arguments.against is not None or arguments.recorded:
            raise UsageError("--request, --against and --recorded are about one session: name one file")
        pair = two_bodies(Path(arguments.path), Path(arguments.other))
    else:
        with opened_session(session_path(arguments), arguments, output) as session:
            pair = request_pair(
                session,
                arguments.request,
                against=arguments.against,
                recorded=arguments.recorded,
                agent=arguments.agent,
            )
    if arguments.json:
        output.data(json_text(request_diff_data(pair)))
    else:
        output.text(request_diff_text(pair))
    return 0
