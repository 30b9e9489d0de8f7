"""Completion scripts for bash, zsh and fish, made from the parser itself so that they cannot lag behind.

Static scripts rather than a library: completing costs no start of Python, and nothing has to be
installed for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator


class _Command:
    """Words of one command: its options, which of them take a value, and its fixed choices."""

    def __init__(self, name: str, parser: argparse.ArgumentParser, help_: str) -> None:
        self.name = name
        self.help = help_
        self.options: dict[str, argparse.Action] = {}
        self.choices: list[str] = []
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                continue
            for option in action.option_strings:
                self.options[option] = action
            if not action.option_strings and action.choices:
                self.choices += map(str, action.choices)


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for a shell.

    Args:
        shell: `bash`, `zsh` or `fish`.
        parser: The whole command line.
    """
    commands = list(_commands(parser))
    makers = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    return "\n".join(makers[shell](commands))


def _commands(parser: argparse.ArgumentParser) -> Iterator[_Command]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {a.dest: a.help or "" for a in action._choices_actions}
            for name, child in action.choices.items():
                yield _Command(name, child, helps.get(name, ""))


def _bash(commands: list[_Command]) -> Iterator[str]:
    yield "# bash completion of inspector: source this file, or put it where bash-completion looks"
    yield "_inspector() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"'
    yield "  if [ $COMP_CWORD -eq 1 ]; then"
    names = " ".join(c.name for c in commands)
    yield f'    COMPREPLY=($(compgen -W "{names} --help --version --root" -- "$word")); return'
    yield "  fi"
    yield '  case "${COMP_WORDS[1]} $before" in'
    for command in commands:
        for option, action in command.options.items():
            if action.choices:
                words = " ".join(map(str, action.choices))
                reply = f'COMPREPLY=($(compgen -W "{words}" -- "$word"))'
                yield f'    "{command.name} {option}") {reply}; return;;'
    yield "  esac"
    yield '  case "${COMP_WORDS[1]}" in'
    for command in commands:
        words = " ".join([*command.options, *command.choices])
        yield f'    {command.name}) COMPREPLY=($(compgen -W "{words}" -- "$word") $(compgen -f -- "$word"));;'
    yield "  esac"
    yield "}"
    yield "complete -o filenames -F _inspector inspector"


def _zsh(commands: list[_Command]) -> Iterator[str]:
    yield "#compdef inspector"
    yield "# zsh completion of inspector: save it as _inspector in a directory of $fpath"
    yield "_inspector() {"
    yield "  if (( CURRENT == 2 )); then"
    yield "    local -a names=("
    for command in commands:
        yield f"      {_quoted(f'{command.name}:{command.help}')}"
    yield "    )"
    yield "    _describe command names; return"
    yield "  fi"
    yield "  case $words[2] in"
    for command in commands:
        parts = []
        for option, action in command.options.items():
            text = (action.help or "").translate(str.maketrans("[]:", "().")).replace("%%", "%")
            spec = f"{option}[{text}]"
            if action.choices:
                spec += f":value:({' '.join(map(str, action.choices))})"
            elif action.nargs != 0:
                spec += ":value:_files"
            parts.append(_quoted(spec))
        rest = f"*:value:({' '.join(command.choices)})" if command.choices else "*:file:_files"
        yield f"    {command.name}) _arguments {' '.join(parts)} {_quoted(rest)};;"
    yield "  esac"
    yield "}"
    yield '_inspector "$@"'


def _fish(commands: list[_Command]) -> Iterator[str]:
    yield "# fish completion of inspector: save it as ~/.config/fish/completions/inspector.fish"
    for command in commands:
        text = _quoted(command.help)
        yield f"complete -c inspector -n __fish_use_subcommand -f -a {command.name} -d {text}"
    for command in commands:
        here = f"complete -c inspector -n '__fish_seen_subcommand_from {command.name}'"
        for option, action in command.options.items():
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            value = f" -x -a {_quoted(' '.join(map(str, action.choices)))}" if action.choices else ""
            if not value and action.nargs != 0:
                value = " -r"
            yield f"{here} {flag}{value} -d {_quoted((action.help or '').replace('%%', '%'))}"
        if command.choices:
            yield f"{here} -f -a {_quoted(' '.join(command.choices))}"


def _quoted(text: str) -> str:
    """A word in single quotes for any of the shells."""
    return "'" + text.replace("'", "’") + "'"
