"""What reports say of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.store.register import Register
from pbem.text.messages import phrase


def flags(register: Register, opens: int, side: str = "") -> list[str]:
    """What reports that open that window say of rulings: what all are told, or (side) what that
    side is told besides."""
    told = [r for r in register.rulings if ("to" in r) == bool(side)]
    if side:
        return [_line(r, opens, phrase("ruling_yours")) for r in told if side in r["to"]]
    return [line for r in register.rulings for line in _public(r, opens)]


def _public(ruling: Mapping[str, Any], opens: int) -> list[str]:
    window, said = ruling["window"], phrase("ruling_hidden") + late(ruling)
    lines = [phrase("ruling_line", window=window, whose="", said=said)]
    lines = lines if "to" in ruling else [_line(ruling, opens)]
    voids = ruling.get("opens") == opens
    return [*lines, phrase("ruling_voids", window=window)] if voids else lines


def _line(ruling: Mapping[str, Any], opens: int, whose: str = "") -> str:
    """The whole ruling in the report that it opens, its reason in later ones."""
    said = ruling["reason"]
    if ruling.get("opens") == opens:
        whose += f" ({ruling['rule']})" if ruling["rule"] else ""
        said = phrase("ruling_whole", text=ruling["text"].strip(), reason=said)
    return phrase("ruling_line", window=ruling["window"], whose=whose, said=said + late(ruling))


def late(ruling: Mapping[str, Any]) -> str:
    """What stands behind a ruling that came late, or was taken back."""
    late_ = "" if ruling.get("timely", True) else phrase("ruling_late")
    return late_ + (phrase("ruling_undone") if ruling.get("undone") else "")
