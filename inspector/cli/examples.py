"""Calls of each command, shown below its help. Texts only: the help of a command imports nothing."""

from __future__ import annotations

EXAMPLES: dict[str, str] = {
    "open": """\
examples:
  inspector open --latest                 the newest session, followed while it grows
  inspector open A.jsonl B.jsonl          several sessions, each in a tab
  inspector open 3f2a --request 38        one session by the start of its id, at request 38
""",
    "serve": """\
examples:
  inspector serve                         the list of sessions in a browser, at the address printed
  inspector serve --latest --port 8000    the newest session, at a port of your choice
""",
    "demo": """\
examples:
  inspector demo                          the first sample
  inspector demo --stories                what samples there are
""",
    "compare": """\
examples:
  inspector compare PATH --policy claude-code --policy documented   two policies over one session
  inspector compare PATH --policy recorded --policy claude-code     what was recorded, and what is predicted
  inspector compare PATH --request 7                                request 7 against the one before
  inspector compare PATH --request 7 --against 3 --recorded         both as the transcript recorded them
  inspector compare body-1.json body-2.json                         two request bodies
""",
    "list": """\
examples:
  inspector list                          the 50 newest sessions
  inspector list --json --limit 0         all of them for a script
""",
    "report": """\
examples:
  inspector report PATH                           text for a terminal
  inspector report PATH --format html > out.html  one file that needs nothing else
  inspector report PATH --format markdown         for an issue
  inspector report --schema                       the JSON Schema of --format json
""",
    "why": """\
examples:
  inspector why PATH                      causes first, then which limit would have helped
  inspector why PATH --under 100000       the mildest limit that keeps every request below 100,000 tokens
  inspector why PATH --request 38         what request 38 holds, by kind, tool and state
  inspector why PATH --json               the same for a script
""",
    "check": """\
examples:
  inspector check *.jsonl                             fails on findings of severity error
  inspector check PATH --fail-on warning              also on warnings
  inspector check PATH --fail-on missing_result       on one kind only
  inspector check PATH --json > known.json            remember what there is ...
  inspector check PATH --baseline known.json          ... and fail only on what is new
  inspector check PATH --format sarif                 for code scanning; junit for test reports

exit codes: 0 nothing fails, 1 something fails, 2 a file or argument cannot be used
""",
    "scan": """\
examples:
  inspector scan ~/.claude/projects                    a table, fullest context first
  inspector scan DIR --format csv --out sessions.csv   for a spreadsheet
  inspector scan DIR --format parquet --out s.parquet   needs the extra `scan`
""",
    "wire": """\
examples:
  inspector wire PATH --request 12        the messages of request 12
  inspector wire PATH --all               every request: how many messages stay, and what is new
""",
    "overflow": """\
examples:
  inspector overflow PATH                       all files of the scratch directory, with their state
  inspector overflow PATH toolu_01AB --lines 1:40   the first lines of one
""",
    "run": """\
examples:
  inspector run PATH --scratch DIR                       overflow files of every request go to DIR
  inspector run PATH --scratch DIR --out history.json    and the messages of the last request to a file
  inspector run - --scratch DIR --records -              from stdin; the replacement records on stdout
""",
    "completion": """\
examples:
  source <(inspector completion bash)                    # in ~/.bashrc
  inspector completion zsh > ~/.zfunc/_inspector         # where $fpath leads zsh
  inspector completion fish > ~/.config/fish/completions/inspector.fish
""",
}
"""What stands below the arguments of a command's `--help`."""
