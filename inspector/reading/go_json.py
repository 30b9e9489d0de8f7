"""JSON as Go's `encoding/json` reads and writes it, for files whose meaning depends on that.

Python's decoder differs in what counts (case of keys, duplicates, `null`, numbers, broken UTF-8),
so it only takes the text apart here; `Shape`s then fill values in by Go's rules.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from inspector.reading.nesting import shallow

INT64 = range(-(1 << 63), 1 << 63)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile('[\x00-\x1f"\\\\<>&\u2028\u2029\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class GoJsonError(ValueError):
    """Bytes that Go would not decode; the message is a sentence with the place."""


class Pairs(list[tuple[str, Any]]):
    """An object as it stands in the file: order and duplicates kept."""


class Number(str):
    """A number as it stands in the file."""

    __slots__ = ()


def parse(data: bytes) -> Any:
    """Take JSON apart without deciding anything about keys or numbers.

    Args:
        data: One JSON value. Bytes that are no UTF-8 are allowed inside strings.

    Returns:
        `Pairs`, lists, `str`, `Number`, booleans and None. A `str` may hold lone surrogates, which
        stand for broken bytes or escapes; `text_of` turns them into U+FFFD.

    Raises:
        GoJsonError: It is no JSON, or nested deeper than can be followed.
    """
    try:
        value = json.loads(
            data.decode("utf-8", "surrogateescape"),
            object_pairs_hook=Pairs,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refuse_constant,
        )
        return shallow(value, data)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")  # some of these words ask for a place themselves
        raise GoJsonError(f"{what} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise GoJsonError("objects or lists are nested too deeply to be read") from None


def _refuse_constant(word: str) -> None:
    raise GoJsonError(f"{word} is no JSON number")


def text_of(text: str) -> str:
    """A decoded string with U+FFFD for each byte or escape that is no character."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def fold(key: str) -> str:
    """A key as Go compares it when no field has exactly this name.

    Two letters outside ASCII fold onto ASCII ones: the long s and the Kelvin sign.
    """
    return key.replace("\u017f", "s").replace("\u212a", "k").lower() if not key.isascii() else key.lower()


class Shape:
    """A Go type that values are decoded into, over what is already there."""

    def zero(self) -> Any:
        """The value of a field that no key has set."""
        return None

    def fill(self, value: Any, current: Any, at: str) -> Any:
        """Decode one value.

        Args:
            value: From `parse`.
            current: What an earlier duplicate key left, or the zero value.
            at: Where it stands, for the message.

        Raises:
            GoJsonError: The value has another type.
        """
        raise NotImplementedError


def _mismatch(value: Any, wanted: str, at: str) -> GoJsonError:
    kinds = {Pairs: "an object", list: "a list", Number: "a number", bool: "true or false"}
    return GoJsonError(f"{at} is {kinds.get(type(value), 'a text')}, not {wanted}")


class Text(Shape):
    """A `string`; `null` leaves what is there."""

    def zero(self) -> str:
        """Empty."""
        return ""

    def fill(self, value: Any, current: Any, at: str) -> Any:
        """Take a text."""
        if value is None:
            return current
        if not isinstance(value, str) or isinstance(value, Number):
            raise _mismatch(value, "a text", at)
        return text_of(value)


class Bool(Shape):
    """A `bool`; `null` leaves what is there."""

    def zero(self) -> bool:
        """False."""
        return False

    def fill(self, value: Any, current: Any, at: str) -> Any:
        """Take true or false."""
        if value is None:
            return current
        if not isinstance(value, bool):
            raise _mismatch(value, "true or false", at)
        return value


class Int(Shape):
    """An `int` of 64 bits: no point and no exponent, even where the value is whole."""

    def zero(self) -> int:
        """Zero."""
        return 0

    def fill(self, value: Any, current: Any, at: str) -> Any:
        """Take a whole number."""
        if value is None:
            return current
        if not isinstance(value, Number):
            raise _mismatch(value, "a number", at)
        digits = value.removeprefix("-")
        if not digits.isdigit() or len(digits) > 19 or int(value) not in INT64:
            raise GoJsonError(f"{at} is no whole number of 64 bits")
        return int(value)


class Anything(Shape):
    """An `interface{}`: any value, numbers as 64-bit floats."""

    def fill(self, value: Any, current: Any, at: str) -> Any:  # noqa: ARG002 - replaced, never merged
        """Take any value."""
        if isinstance(value, Number):
            return _float(value, at)
        if isinstance(value, Pairs):
            return {text_of(key): self.fill(v, None, f"{at}.{key}") for key, v in value}
        if isinstance(value, list):
            return [self.fill(v, None, f"{at}[{n}]") for n, v in enumerate(value)]
        return text_of(value) if isinstance(value, str) else value


def _float(number: Number, at: str) -> int | float:
    value = float(number)
    if math.isinf(value):
        raise GoJsonError(f"{at} is too large a number")
    whole = value.is_integer() and abs(value) < 1 << 53 and math.copysign(1, value) > 0
    return int(value) if whole else value


class AnyMap(Shape):
    """A `map[string]interface{}`: an object; a second one adds its keys to the first."""

    def fill(self, value: Any, current: Any, at: str) -> Any:
        """Take an object."""
        if value is None:
            return None
        if not isinstance(value, Pairs):
            raise _mismatch(value, "an object", at)
        return (current or {}) | Anything().fill(value, None, at)


@dataclass(slots=True)
class Elements:
    """A Go slice: a length over elements that a longer, earlier list may have left behind."""

    behind: list[Any] = field(default_factory=list)
    length: int = 0

    def values(self) -> list[Any]:
        """The elements that count."""
        return self.behind[: self.length]


@dataclass(frozen=True, slots=True)
class ListOf(Shape):
    """A slice; `null` empties it, a second list is decoded over the elements of the first."""

    element: Shape

    def fill(self, value: Any, current: Any, at: str) -> Any:
        """Take a list."""
        if value is None:
            return None
        if not isinstance(value, list) or isinstance(value, Pairs):
            raise _mismatch(value, "a list", at)
        behind = list(current.behind) if current is not None and value else []
        for n, v in enumerate(value):
            if n == len(behind):
                behind.append(self.element.zero())
            behind[n] = self.element.fill(v, behind[n], f"{at}[{n}]")
        return Elements(behind, len(value))


@dataclass(frozen=True, slots=True)
class Struct(Shape):
    """A struct: keys match without regard to case, unknown ones are passed over."""

    fields: Mapping[str, Shape]
    pointer: bool = False
    """Whether `null` removes it; a plain struct ignores `null`."""

    def zero(self) -> dict[str, Any] | None:
        """Nothing behind a pointer, else every field at zero."""
        return None if self.pointer else {name: shape.zero() for name, shape in self.fields.items()}

    def fill(self, value: Any, current: Any, at: str) -> Any:
        """Take an object."""
        if value is None:
            return None if self.pointer else current
        if not isinstance(value, Pairs):
            raise _mismatch(value, "an object", at)
        out = dict(current) if current is not None else {n: s.zero() for n, s in self.fields.items()}
        for key, v in value:
            name = key if key in self.fields else fold(key)
            if name in self.fields:
                out[name] = self.fields[name].fill(v, out[name], f"{at}.{name}" if at else name)
        return out


def write(value: Any, indent: str = "") -> str:
    """JSON with two spaces of indent, escaped and ordered as Go's `MarshalIndent` does it.

    Args:
        value: Mappings (written in their order), lists, texts, bytes, numbers, booleans, None.
            Numbers are written as 64-bit floats.
        indent: Indent of the line on which the value starts.
    """
    inner = indent + "  "
    if isinstance(value, Mapping):
        parts = [f"{inner}{quoted(key)}: {write(v, inner)}" for key, v in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}" if parts else "{}"
    if isinstance(value, (list, tuple)):
        parts = [inner + write(v, inner) for v in value]
        return "[\n" + ",\n".join(parts) + f"\n{indent}]" if parts else "[]"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return float_text(float(value))
    return quoted(value)


def sorted_keys(value: Any) -> Any:
    """A value whose objects are in byte order of their keys, as Go writes maps."""
    if isinstance(value, Mapping):
        ordered = sorted(value, key=lambda key: key.encode("utf-8", "surrogatepass"))
        return {key: sorted_keys(value[key]) for key in ordered}
    return [sorted_keys(v) for v in value] if isinstance(value, (list, tuple)) else value


def quoted(text: str | bytes) -> str:
    """A JSON string; a byte or surrogate that is no character becomes the escape `\\ufffd`."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if "\ud800" <= char <= "\udfff":
        return "\\ufffd"
    return _SHORT.get(char) or f"\\u{ord(char):04x}"


def float_text(value: float) -> str:
    """A float as Go writes it: shortest digits, an exponent only below 1e-6 and from 1e21 on.

    Go refuses what is no number; `null` stands for it here, as JavaScript writes it.
    """
    if not math.isfinite(value):
        return "null"
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        plain = format(Decimal(repr(value)), "f")
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    shown = "".join(map(str, digits)).rstrip("0")
    power = int(exponent) + len(digits) - 1
    mantissa = shown[0] + (f".{shown[1:]}" if len(shown) > 1 else "")
    return f"{'-' if sign else ''}{mantissa}e{power:+d}"
