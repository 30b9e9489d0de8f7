"""ChatCLI's environment variables as fields of a policy: seed 000 names them for both of its policies.

Nothing here looks at the environment itself: variables are an argument, as everywhere in the core.
"""

from __future__ import annotations

from collections.abc import Mapping

from inspector.model.policy import CHATCLI, DOCUMENTED, Policy

_FIELDS: Mapping[str, str] = {
    "budget.result_bytes": "budget.result_limit",
    "budget.turn_bytes": "budget.turn_limit",
    "ageing.truncate_turns": "microcompact.truncate_turns",
    "ageing.summarize_turns": "microcompact.summarize_turns",
    "ageing.head_bytes": "microcompact.head",
    "ageing.tail_bytes": "microcompact.tail",
    "ageing.min_bytes": "microcompact.min_content",
    "archive.mode": "archive",
}
"""Setting of ChatCLI → field of a policy."""
_DOCUMENTED_VARIABLES = ("CHATCLI_TOOL_RESULT_", "CHATCLI_MICROCOMPACT_")
"""Seed 000 names these, so `documented` heeds them too."""


def with_environment(policy: Policy, environment: Mapping[str, str]) -> tuple[Policy, dict[str, str]]:
    """A preset with the values that ChatCLI's variables give it (`chatcli.md` §10).

    Args:
        policy: `documented` or `chatcli`; any other stays as it is.
        environment: The variables, such as `os.environ`. A value that ChatCLI would not take is passed
            over, as it does.

    Returns:
        The policy, and for each field that a variable could set where its value comes from and why.
    """
    if policy.name not in (CHATCLI.name, DOCUMENTED.name):
        return policy, {}
    from inspector.pipeline.chatcli.settings import settings_from_environment  # the others load nothing of it

    origins: dict[str, str] = {}
    for note in settings_from_environment(environment)[1]:
        field = _FIELDS.get(note.field)
        if field is None or (
            policy.name == DOCUMENTED.name and not note.variable.startswith(_DOCUMENTED_VARIABLES)
        ):
            continue
        if note.reason == "env":
            value = note.value != "off" if field == "archive" else note.value
            policy = policy.with_field(field, value)
            origins[field] = f"{note.variable}={note.given}"
        elif note.ignored:
            why = note.reason.removeprefix("env ignored: ")
            origins[field] = f"default; {note.variable}={note.given} is ignored: {why}"
        elif policy.name == CHATCLI.name:
            origins[field] = f"default; {note.variable} is not set"
    return policy, origins
