"""The hostile corpus: what a tool, a model or a web page may put into a session to act on a terminal.

Every string stands in every place of a session that is ever shown: texts, tool names, arguments,
ids, paths, titles, branches, versions, models, file names. `evil` in most of them lets a test see
that the text was really drawn.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STRINGS: dict[str, str] = {
    "csi-colour": "\x1b[31mevil\x1b[0m",
    "csi-clear": "\x1b[2J\x1b[3J\x1b[Hevil",
    "csi-mode": "\x1b[?1049l\x1b[?25l\x1b[?1000hevil",
    "csi-report": "\x1b[6n\x1b[c\x1b[>c\x1b[21tevil",
    "csi-cut": "evil\x1b[38;2;255",
    "osc-title": "\x1b]0;evil\x07",
    "osc-link": "\x1b]8;;http://evil.example\x1b\\evil\x1b]8;;\x1b\\",
    "osc-clipboard": "\x1b]52;c;ZXZpbA==\x07evil",
    "osc-colour": "\x1b]4;1;rgb:ff/00/00\x1b\\\x1b]10;?\x07evil",
    "osc-open": "\x1b]1337;File=inline=1:ZXZpbA==",
    "dcs": "\x1bP1;2|evil\x1b\\",
    "dcs-query": "\x1bP$qm\x1b\\\x1bP+q544e\x1b\\evil",
    "apc": "\x1b_Gevil;AAAA\x1b\\",
    "pm-sos": "\x1b^evil\x1b\\\x1bXevil\x1b\\",
    "reset": "\x1bcevil\x1b7\x1b8\x1b#8\x1b(0",
    "c1-csi": "\x9b31mevil\x9b0m",
    "c1-osc": "\x9d0;evil\x9c\x90evil\x9c\x9fevil\x9c\x85\x84\x8d",
    "bell": "evil\x07\x07",
    "backspace": "good\x08\x08\x08\x08evil",
    "carriage": "good\revil\r\nnext\r",
    "vertical": "evil\x0b\x0c\x0e\x0f\x1a",
    "delete": "evil\x7f\x7f",
    "nul": "ev\x00il\x00",
    "tabs": "evil\t\tevil\t",
    "newline": "evil\nevil: forged row\n",
    "bidi": "\u202eevil\u202c \u2066\u2067evil\u2069 \u061c\u200e\u200f",
    "zero-width": "ev\u200bi\u200cl\u200d\u2060\ufeff\u00ad\u180e",
    "separators": "evil\u2028evil\u2029evil\x85evil",
    "tags": "evil" + "".join(chr(0xE0000 + ord(c)) for c in "ignore") + "\U000e007f",
    "variation": "evil\ufe00\ufe0f\U000e0100\u3164\u115f\uffa0",
    "surrogates": "\ud800evil\udc00\udfff\ud83d",
    "byte-escapes": "\udc9b31mevil\udcff\udc80",
    "combining": "evil" + "\u0301" * 300,
    "combining-first": "\u0301\u0489\u20ddevil",
    "emoji": "👨‍👩‍👧‍👦🏽🏽🏽‍‍‍evil🇩🇩🇩",
    "wide": "．．／evil｜㍿﷽",
    "unassigned": "\u0378evil\uffff\ufffe\U0010ffff\ue000",
    "interlinear": "\ufff9evil\ufffa\ufffb",
    "markup": "[/x][bold red]evil[/][/]",
    "markup-click": "[@click=app.quit]evil[/]",
    "markup-link": "[link=http://evil.example]evil[/link][$error]",
    "brackets": '[{"evil": ["[/]", "\\u001b[31m", "\x1b[31m"]}]',
    "braces": "{evil} {0} %s %(evil)s ${evil} `evil`",
    "html": "<script>alert('evil')</script><img src=x onerror=evil>&#27;[31m<!--",
    "svg": "</text></svg><script>evil</script>]]>",
    "markdown": "| evil | `` ``` ``` \n# evil\n<b>evil</b> ![x](http://evil.example/x.png) \\",
    "csv": "=cmd|' /C evil'!A1,\"evil\"\n@SUM(1)",
    "path": "../../../../etc/passwd",
    "drive": "C:\\evil\\..\\..\\\\?\\UNC\\evil\\share",
    "long": "evil" * 2_000,
}
"""Name → one string; none is of our own making in a session, and all of them are met in the wild."""

EVERYTHING = " ".join(STRINGS.values())
FLOOD = ("\x1b[31mevil\x9b2J\x07" * 70_000)[: 1 << 20]
"""A text of a megabyte without a line feed."""
SESSION = "5e550000-0000-4000-8000-00000000ev11"

_IN_EMOJI = re.compile("[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]\u200d[\u2600-\u27bf\U0001f300-\U0001faff]")
"""The one place in which a joiner does what it is for."""
_ACTIVE = re.compile(
    "["
    + "".join(
        re.escape(chr(code))
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    )
    + "]"
)


def foreign(text: str, allowed: str = "\r\n") -> list[str]:
    """Characters that act on a terminal or hide, each with what stands around it.

    Args:
        text: What was written, without the sequences that are the writer's own.
        allowed: Characters that are no fault.
    """
    return [
        f"U+{ord(found[0]):04X} {text[max(0, at - 30) : at + 30]!r}"
        for found in _ACTIVE.finditer(text)
        if found[0] not in allowed
        and (at := found.start()) >= 0
        and not (found[0] == "\u200d" and _IN_EMOJI.match(text, at - 1))
    ]


def file_name(text: str) -> str:
    """A string as a file name that the file system takes; control bytes stay in it."""
    name = text.replace("/", "∕").replace("\0", "\x01").encode("utf-8", "surrogatepass")[:120]
    return os.fsdecode(name)


class Lines:
    """Writes a Claude Code transcript whose every field is hostile."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.parent: str | None = None

    def add(self, kind: str, text: str, **fields: Any) -> None:
        """One record that hangs on the one before."""
        uuid = f"{len(self.out)}-{text}"
        head = {
            "type": kind, "uuid": uuid, "parentUuid": self.parent, "sessionId": SESSION,
            "timestamp": f"2026-01-05T09:{len(self.out) // 60 % 60:02d}:{len(self.out) % 60:02d}.000Z",
            "version": text, "gitBranch": text, "cwd": f"/{text}", "isSidechain": False,
            "userType": text, "slug": text, "entrypoint": "cli",
        }  # fmt: skip
        self.out.append(json.dumps({**head, **fields}))
        self.parent = uuid

    def turn(self, text: str, n: int, content: Any = None) -> None:
        """An answer with two calls, and the result of one of them."""
        id, lost = f"{text}{n}", f"lost{n}{text}"
        usage = {"input_tokens": 3, "cache_read_input_tokens": 9_000 + 900 * n, "output_tokens": 9}
        head = {"id": f"msg{n}{text}", "role": "assistant", "model": text, "usage": usage}
        for block in (
            {"type": "text", "text": text},
            {"type": "thinking", "thinking": text, "signature": text},
            {"type": "tool_use", "id": id, "name": text, "input": {text: text, "command": text}},
            {"type": "tool_use", "id": lost, "name": "Read", "input": {"file_path": f"/{text}"}},
        ):
            self.add("assistant", text, message={**head, "content": [block]}, requestId=f"req{n}{text}")
        result = {"type": "tool_result", "tool_use_id": id, "content": text if content is None else content}
        orphan = {"type": "tool_result", "tool_use_id": f"orphan{id}", "content": text, "is_error": True}
        self.add(
            "user",
            text,
            message={"role": "user", "content": [result, orphan]},
            toolUseResult={"stdout": text, "filePath": text},
        )


def overflow_text(text: str, directory: str, id: str) -> str:
    """A preview as the client writes it, naming a hostile file."""
    return (
        f"<persisted-output>\nOutput too large (155.1KB). Full output saved to: {directory}/{id}.txt\n\n"
        f"Preview (first 2KB):\n{text}\n...\n</persisted-output>"
    )


def claude_code(strings: dict[str, str] | None = None, flood: bool = True) -> str:
    """A whole transcript."""
    lines = Lines()
    lines.out.append(json.dumps({"type": "summary", "summary": EVERYTHING, "leafUuid": EVERYTHING}))
    lines.out.append(json.dumps({"type": "custom-title", "customTitle": EVERYTHING, "sessionId": SESSION}))
    lines.add("user", EVERYTHING, message={"role": "user", "content": EVERYTHING})
    for n, text in enumerate((strings or STRINGS).values()):
        lines.turn(text, n)
        lines.turn(text, 1_000 + n, overflow_text(text, f"/x/{text}/tool-results", f"{text}{n}"))
        lines.add("system", text, subtype=text, content=text, level=text)
        lines.add(text, text, content=text)
        lines.add("attachment", text, attachment={"type": text, "content": text})
        replaced = [{"kind": "tool-result", "toolUseId": f"{text}{n}", "replacement": text}]
        lines.add("content-replacement", text, replacements=replaced)
        lines.out.append(text.replace("\n", " "))
    if flood:
        lines.turn("flood", 2_000, FLOOD)
    lines.turn("many lines", 2_001, "\n".join([EVERYTHING, *STRINGS.values()] * 20) + "\r" * 400)
    return "\n".join(lines.out) + "\n"


def messages() -> list[dict[str, Any]]:
    """The same as a plain message list."""
    out: list[dict[str, Any]] = [{"role": "user", "content": EVERYTHING}]
    for n, text in enumerate(STRINGS.values()):
        call = {"type": "tool_use", "id": f"{text}{n}", "name": text, "input": {text: text}}
        result = {"type": "tool_result", "tool_use_id": f"{text}{n}", "content": text * 3}
        out += [
            {"role": "assistant", "content": [{"type": "text", "text": text}, call]},
            {"role": "user", "content": [result, {"type": text, "text": text}]},
        ]
    return out


def chatcli() -> dict[str, Any]:
    """The same as a ChatCLI session."""
    history: list[dict[str, Any]] = [{"role": "system", "content": EVERYTHING}]
    for n, text in enumerate(STRINGS.values()):
        call = {"id": f"{text}{n}", "type": text, "name": text, "arguments": {text: text}}
        history += [
            {"role": "user", "content": text},
            {"role": "assistant", "content": text, "tool_calls": [call]},
            {"role": "tool", "content": text * 3, "tool_call_id": f"{text}{n}"},
        ]
    return {"version": 2, "title": EVERYTHING, "chat_history": [], "agent_history": history}


class Corpus:
    """Hostile sessions of several kinds below one directory."""

    def __init__(self, directory: Path, *, flood: bool = True) -> None:
        """Write them.

        Args:
            directory: Laid out as a home directory.
            flood: Whether a result of a megabyte without a line feed is among them.
        """
        self.home = directory
        project = (
            directory / ".claude" / "projects" / file_name(STRINGS["osc-title"] + "\n" + STRINGS["bidi"])
        )
        project.mkdir(parents=True)
        self.claude_code = project / f"{SESSION}.jsonl"
        data = claude_code(flood=flood).encode("utf-8", "surrogatepass")
        said = b'{"role":"user","content":"\x9b31mevil\xff\xc2\x9b2J"}'
        raw = b'{"type":"user","uuid":"\x9b31m","message":' + said + b"}\n"
        self.claude_code.write_bytes(data + raw + b'{"type":"user","mess\x1b[31m evil')
        self._scratch(project / SESSION)
        self.named = project / f"{file_name(STRINGS['csi-colour'] + chr(10) + STRINGS['byte-escapes'])}.jsonl"
        small = dict(list(STRINGS.items())[:3])
        self.named.write_bytes(claude_code(small, flood=False).encode("utf-8", "surrogatepass"))
        self.messages = directory / file_name("evil\x1b[31m\x9b\u202e messages.json")
        self.messages.write_text(json.dumps(messages()))
        kept = directory / ".chatcli" / "sessions"
        kept.mkdir(parents=True)
        self.chatcli = kept / file_name("evil\x07\x1b]0;x\x07 \udc9b.json")
        self.chatcli.write_text(json.dumps(chatcli()))
        self.broken = project / file_name("evil\x1b[2J broken.jsonl")
        self.broken.write_bytes("\n".join(STRINGS.values()).encode("utf-8", "surrogatepass") + b"\x9b\xff\n")

    def _scratch(self, own: Path) -> None:
        folder = own / "tool-results"
        folder.mkdir(parents=True)
        for n, text in enumerate(STRINGS.values()):
            (folder / f"{n}{file_name(text)}.txt").write_bytes(
                f"{text}\n{EVERYTHING}\n".encode("utf-8", "surrogatepass") + b"\x9b31m\xff\n"
            )
        agents = own / "subagents"
        agents.mkdir()
        name = f"agent-{file_name(STRINGS['osc-title'] + STRINGS['bidi'])}"
        small = {"csi": STRINGS["csi-colour"]}
        (agents / f"{name}.jsonl").write_bytes(
            claude_code(small, flood=False).encode("utf-8", "surrogatepass")
        )
        about = {"agentType": EVERYTHING, "description": EVERYTHING, "toolUseId": f"{STRINGS['dcs']}3"}
        (agents / f"{name}.meta.json").write_text(json.dumps(about))

    @property
    def sessions(self) -> tuple[Path, ...]:
        """All that can be opened."""
        return (self.claude_code, self.named, self.messages, self.chatcli, self.broken)


def snapshot(directory: Path) -> dict[str, tuple[Any, ...]]:
    """What stands below a directory: kinds, inodes, sizes, times, links and contents.

    Access times are left out: reading sets them, and the system does that.
    """
    out: dict[str, tuple[Any, ...]] = {}
    for path in _below(directory):
        state = path.lstat()
        content = (
            path.read_bytes()
            if path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)
            else b""
        )
        out[os.fsdecode(path)] = (
            state.st_mode, state.st_ino, state.st_nlink, state.st_size, state.st_mtime_ns, state.st_ctime_ns,
            content,
        )  # fmt: skip
    return out


def _below(directory: Path) -> Iterator[Path]:
    yield directory
    for root, folders, files in os.walk(directory):
        yield from (Path(root, name) for name in (*folders, *files))


OWN_HEADLESS = re.compile(r"\r[^\x1b\r\n]*\x1b\[K")
"""The progress line of a headless command."""
