"""Story: lines that are no records any more, and texts that try to take over the terminal."""

from __future__ import annotations

from pathlib import Path

from generator.calls import bash, read
from generator.client import Call, Client
from generator.texts import Shop

NAME = "damaged-lines"
LINE = "Broken lines and hostile texts: escape codes, markup, a run of NULs, a torn last line."
LOOK = """Nothing here may crash a reader or reach the terminal as it is:

- Escape codes in a prompt, in the name of a tool, in a path and in results (title, clipboard, link, colours, CR, BEL).
- Square brackets that look like markup, text direction overrides, half a surrogate pair.
- A run of 300 NUL bytes, a record cut off in the middle with the next one on the same line, a comment line, a raw
  control character, bytes that are no UTF-8, and a last line without an end.
"""

HOSTILE = "\x1b]0;owned\x07\x1b]52;c;cm0gLXJmIC4=\x07\x1b[2J\x1b[31mred\x1b[0m \x1bPq\x1b\\ \x9b31m"
MARKUP = "[/] [bold red]not bold[/bold red] [@click=app.quit]quit[/] [link=https://evil.example]here[/link] [on red blink]"
BIDI = "invoice\u202efdp.exe\u2066 \u200b"


def write(folder: Path) -> None:
    shop, client = Shop(NAME), Client(NAME)
    client.prompt(f"Look at this report: {HOSTILE} and {MARKUP}")
    client.turn("", bash(f"printf '{HOSTILE}'", f"{HOSTILE}\r\nline two\rline three\x07\x08\x00 end"))
    nul_run(shop, client)
    stub_and_record(shop, client)
    client.lines.insert(len(client.lines) - 2, b"// exported by a script")
    client.turn(
        MARKUP,
        Call(
            f"mcp__{HOSTILE}__[bold]x[/bold]",
            {"path": f"{MARKUP}/{BIDI}"},
            f"{BIDI}\n{MARKUP}\n\x1b]8;;https://evil.example\x07click\x1b]8;;\x07",
        ),
    )
    raw_bytes(client)
    half_a_pair(client)
    client.answer("The report tries to write to the terminal. I did not run any of it.")
    client.prompt("Good. Anything else?", 12)
    torn_end(client, client.turn("", read("var/report.txt", shop.fit(shop.prose, 2_600)))[0])
    client.save(folder)
    path = folder / f"{client.session}.jsonl"
    path.write_bytes(path.read_bytes()[:-1])


def nul_run(shop: Shop, client: Client) -> None:
    client.lines.append(b"\0" * 300)
    client.turn("", bash("strings var/report.bin", shop.fit(shop.prose, 1_200)))


def stub_and_record(shop: Shop, client: Client) -> None:
    """The writer was killed within a record; the next one follows on the same line."""
    client.turn("", bash("wc -c var/report.bin", "  48211 var/report.bin"))
    result = client.lines.pop()
    client.lines.append(client.lines[-1][:170] + result)
    client.turn("", read("var/report.md", shop.fit(shop.prose, 900)))


def raw_bytes(client: Client) -> None:
    """A control character that JSON does not allow, and a Latin-1 byte."""
    client.turn("", bash("file var/report.bin", "report.bin: data BELL here"))
    client.lines[-1] = client.lines[-1].replace(b"BELL", b"\x07", 1)
    client.turn("", bash("head -1 var/latin1.txt", "Grue LATIN aus Wien"))
    client.lines[-1] = client.lines[-1].replace(b"Grue LATIN", b"Gr\xfc\xdfe", 1)


def half_a_pair(client: Client) -> None:
    client.turn("", bash("cut -c1-40 var/emoji.txt", "party HALF and on it goes"))
    client.lines[-1] = client.lines[-1].replace(b"HALF", b"\\ud83c")


def torn_end(client: Client, call: Call) -> None:
    """The last record is half written: its result is not there yet."""
    if call.id.encode() not in client.lines[-1]:
        raise ValueError("the last line is not the result")
    client.lines[-1] = client.lines[-1][: len(client.lines[-1]) // 2]
