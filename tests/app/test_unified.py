"""A difference as one text: signs in front, tints for what is not in both."""

from __future__ import annotations

from inspector.app.unified import unified_text


def test_lines_carry_signs_and_tints() -> None:
    found = unified_text("a\nb\nc", "a\nB\nc")
    assert found.text.split("\n") == ["  a", "- b", "+ B", "  c"]
    assert found.tints == {1: "over-budget", 2: "ok"}
    assert found.summary == "−1 +1 lines"


def test_equal_stretches_are_left_out_and_counted() -> None:
    same = "\n".join(str(n) for n in range(100))
    found = unified_text(f"x\n{same}", f"y\n{same}\nz")
    assert "⋯ 94 equal lines" in found.text
