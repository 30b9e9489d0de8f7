"""What each command does: find the session, analyse it, hand the result to the output."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli.named import scratch_directory, session_path
from inspector.cli.output import Output
from inspector.cli.settings import policy_of
from inspector.errors import InspectorError, UsageError
from inspector.figures import count_words, number
from inspector.model.findings import KINDS, Finding, Severity
from inspector.reading.chatcli_places import chatcli_places
from inspector.reading.files import read_whole
from inspector.reading.home import home_directory, index_directory
from inspector.session import Session, open_session, read_on
from inspector.text import printable_line

if TYPE_CHECKING:
    from inspector.replay.filters import Filter
    from inspector.report.checks import Checked

_BASELINE_BYTES = 64 << 20
"""Largest baseline that is read: a hundred thousand findings."""


def help_topic(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector help`: a topic, or the list of them."""
    from inspector.cli.topics import TOPICS, topic

    if arguments.topic is None:
        for name in TOPICS:
            output.text(f"{name:12} {TOPICS[name].splitlines()[0]}")
        return 0
    output.text(topic(arguments.topic))
    return 0


def completion(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector completion`: the script that a shell loads."""
    from inspector.cli.arguments import parser
    from inspector.cli.completion import script

    output.data(script(arguments.shell, parser()))
    return 0


def report(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector report`: the whole analysis."""
    import inspector.report as forms

    if arguments.schema:
        from inspector.report.schema import schema_text

        output.data(schema_text("report-1"))
        return 0
    if arguments.resume_after is not None and arguments.format != "json":
        raise UsageError("--resume-after is part of the JSON form: add --format json")
    filter_ = _filter(arguments)
    if (arguments.agent or filter_ is not None) and arguments.format not in {"text", "json"}:
        raise UsageError(f"--agent and --filter have no {arguments.format} form; text and json have them")
    from inspector.why import why as explain

    with opened_session(session_path(arguments), arguments, output, with_findings=True) as session:
        if arguments.format == "json":
            from inspector.report.json_text import json_text

            data = forms.report(
                session, resume_after=arguments.resume_after, agent=arguments.agent, filter_=filter_
            )
            output.data(json_text(data))
        elif filter_ is not None:
            threads = [arguments.agent] if arguments.agent else list(session.timelines)
            output.text(forms.rows_text(session, filter_, threads))
        elif arguments.agent:
            output.text(forms.agent_report(session, arguments.agent))
        elif arguments.format == "html":
            output.data(forms.html_report(session, explain(session)))
        elif arguments.format == "markdown":
            output.text(forms.markdown_report(session, explain(session)))
        else:
            output.text(forms.text_report(session, explain(session, with_advice=False)))
    return 0


def why(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector why`: causes of growth, and which limit would have helped."""
    from inspector.report.json_text import json_text
    from inspector.report.why import why_data, why_text
    from inspector.why import why as explain

    with opened_session(session_path(arguments), arguments, output, with_findings=True) as session:
        answer = explain(
            session,
            under_tokens=arguments.under,
            with_advice=not arguments.no_advice,
            request=arguments.request,
        )
        if arguments.json:
            output.data(json_text(why_data(session, answer)))
        else:
            output.text(why_text(session, answer, limit=max(1, arguments.limit)))
    return 0


def check(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector check`: findings, and an exit code made of them."""
    from inspector.report.checks import Checked, junit, read_baseline, sarif, without_known
    from inspector.report.json_text import json_text

    if not arguments.paths:
        raise UsageError("check: name at least one session file: PATH …; `inspector list` shows known ones")
    failing = _failing(arguments.fail_on)
    filter_ = _filter(arguments)
    baseline = arguments.baseline
    known = read_baseline(baseline, read_whole(baseline, _BASELINE_BYTES)) if baseline else None
    form = "json" if arguments.json else arguments.format
    checked: list[Checked] = []
    for name in arguments.paths:
        try:
            with opened_session(Path(name), arguments, output, with_findings=True) as session:
                findings = session.findings()
                if filter_ is not None:
                    from inspector.session.filtered import SessionFilter

                    findings = SessionFilter(session, filter_).findings()
        except InspectorError as error:
            output.say(f"inspector: {error}")
            checked.append(Checked(name, (), (), str(error)))
            continue
        fresh = findings if known is None else without_known(name, findings, known)
        hits = [f for f in fresh if _fails(f, failing)]
        checked.append(Checked(name, findings, hits))
        if form == "text":
            _check_text(name, findings, hits, len(findings) - len(fresh), output)
    if form == "json":
        output.data(json_text({"schema": "inspector-check/1", "files": [_check_data(c) for c in checked]}))
    elif form == "sarif":
        output.data(json_text(sarif(checked)))
    elif form == "junit":
        output.data(junit(checked))
    return 2 if any(c.error for c in checked) else int(any(c.failing for c in checked))


def _check_data(checked: Checked) -> dict[str, Any]:
    from inspector.report.data import finding_data

    if checked.error:
        return {"path": checked.path, "error": checked.error, "findings": []}
    findings = [finding_data(f) for f in checked.findings]
    return {"path": checked.path, "failing": len(checked.failing), "findings": findings}


def _check_text(
    name: str, findings: Sequence[Finding], hits: Sequence[Finding], known: int, output: Output
) -> None:
    words = f", {known} of them known" if known else ""
    found = count_words(len(findings), "finding")
    more = "" if len(hits) == len(findings) else "; `--fail-on info` shows all"
    output.text(f"{printable_line(name)}: {len(hits)} failing, {found} in all{words}{more}")
    for finding in hits:
        where = f" [{finding.see}]" if finding.see else ""
        output.text(f"  {finding.severity.value:7}  {finding.kind}: {printable_line(finding.fact + where)}")


def _failing(words: str) -> frozenset[str]:
    """The kinds that `--fail-on` names: a severity stands for it and all louder ones."""
    severities = [s.value for s in Severity]
    chosen: set[str] = set()
    for word in words.split(","):
        word = word.strip()
        if word in severities:
            chosen.update(f"={s}" for s in severities[: severities.index(word) + 1])
        elif word in KINDS:
            chosen.add(word)
        elif word != "none":
            raise UsageError(f"--fail-on: there is no kind {word!r}")
    return frozenset(chosen)


def _fails(finding: Finding, failing: frozenset[str]) -> bool:
    return finding.kind in failing or f"={finding.severity.value}" in failing


def wire(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector wire`: the messages of a request."""
    from inspector.report.json_text import json_text
    from inspector.session.wire import all_requests, one_request
    from inspector.session.wire_builder import ResumeAs

    if arguments.full and not arguments.all:
        raise UsageError("--full goes with --all; one request is always whole")
    with opened_session(session_path(arguments), arguments, output) as session:
        if arguments.all:
            for body in all_requests(
                session, agent=arguments.agent, recorded=arguments.recorded, full=arguments.full
            ):
                output.data(json_text(body, indent=None))
            return 0
        how = ResumeAs(arguments.prompt, now=time.time())
        body = one_request(
            session, arguments.request, agent=arguments.agent, recorded=arguments.recorded, how=how
        )
        output.data(json_text(body))
    return 0


def overflow(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector overflow`: the scratch directory, or one file of it."""
    from inspector.report.json_text import json_text
    from inspector.session.scratch_view import line_count, overflow_data, overflow_table, read_overflow

    lines = _line_range(arguments.lines)
    if lines is not None and arguments.id is None:
        raise UsageError("--lines is about one overflow file: name a result")
    if arguments.json and arguments.id is not None:
        raise UsageError("--json is about the list of overflow files; one file is printed as it is")
    filter_ = _filter(arguments)
    with opened_session(session_path(arguments), arguments, output) as session:
        if arguments.id is None:
            if arguments.json:
                output.data(json_text({"schema": "inspector-overflow/1", **overflow_data(session, filter_)}))
            else:
                output.text(overflow_table(session, filter_))
            return 0
        data = read_overflow(session, arguments.id, lines)
        if lines is not None and not data:
            data_lines = line_count(session, arguments.id)
            raise UsageError(f"--lines {arguments.lines}: the file has {count_words(data_lines, 'line')}")
    if output.is_terminal:
        output.text(data.decode("utf-8", "replace"), own=False)
    else:
        output.raw(data)
    return 0


def _filter(arguments: argparse.Namespace) -> Filter | None:
    """What `--filter` says; None where it is not given."""
    if arguments.filter is None:
        return None
    from inspector.replay.filters import parse_filter

    return parse_filter(arguments.filter)


def _line_range(words: str | None) -> tuple[int, int] | None:
    if words is None:
        return None
    first, colon, last = words.partition(":")
    if not colon:
        raise UsageError(f"--lines wants A:B, not {words!r}")
    try:
        numbers = int(first or 1), int(last or 1 << 60)
    except ValueError:
        raise UsageError(f"--lines wants A:B, not {words!r}") from None
    if numbers[0] < 1 or numbers[1] < numbers[0]:
        raise UsageError(f"--lines {words}: no such lines")
    return numbers


def opened_session(
    path: Path, arguments: argparse.Namespace, output: Output, *, with_findings: bool = False
) -> Session:
    """Open a session under the policy that the call names, and read it to its end.

    Args:
        path: Its file.
        arguments: Those of a command that takes a session.
        output: Where the progress goes.
        with_findings: They will be asked for.

    Raises:
        InspectorError: The policy or the session cannot be used.
    """
    policy, origins = policy_of(arguments, path, os.environ)
    return open_with_progress(
        path,
        output,
        with_findings=with_findings,
        policy=policy,
        origins=origins,
        scratch=scratch_directory(arguments),
        live=arguments.live,
        chatcli=chatcli_places(os.environ, home_directory()),
    )


def open_with_progress(path: Path, output: Output, *, with_findings: bool = False, **options: Any) -> Session:
    """Open a session and read it to its end, with a progress line where one can be drawn.

    Args:
        path: Its file.
        output: Where the progress goes.
        with_findings: They will be asked for.
        **options: Those of `open_session`.

    Raises:
        UnreadableError: It cannot be read at all.
    """
    options.setdefault("index_directory", index_directory(os.environ, home_directory()))
    session = open_session(path, read=False, **options)
    try:
        _read(session, output, with_findings=with_findings)
    except BaseException:
        session.close()
        raise
    return session


def _read(session: Session, output: Output, *, with_findings: bool) -> None:
    drawn = False
    for _ in read_on(session, with_findings=with_findings):
        if output.messages_to_terminal:
            done, size = session.position, max(1, session.size_bytes)
            output.progress(f"indexing {100 * done // size} %  {number(done)} of {number(size)} bytes")
            drawn = True
    if drawn:
        output.progress("")
