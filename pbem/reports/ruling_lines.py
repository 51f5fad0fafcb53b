"""What reports say of rulings."""

from __future__ import annotations

from pbem.store.holders import Ruling
from pbem.store.register import Register
from pbem.text.messages import phrase


def flags(register: Register, opens: int, side: str = "") -> list[str]:
    """What reports that open that window say of rulings: what all are told, or (side) what that
    side is told besides."""
    if side:
        told = [r for r in register.rulings if side in (r.to or ())]
        return [_line(r, opens, phrase("ruling_yours")) for r in told]
    return [line for r in register.rulings for line in _public(r, opens)]


def _public(ruling: Ruling, opens: int) -> list[str]:
    window, said = ruling.window, phrase("ruling_hidden") + late(ruling)
    lines = [phrase("ruling_line", window=window, whose="", said=said)]
    lines = [_line(ruling, opens)] if ruling.to is None else lines
    return [*lines, phrase("ruling_voids", window=window)] if ruling.opens == opens else lines


def _line(ruling: Ruling, opens: int, whose: str = "") -> str:
    """The whole ruling in the report that it opens, its reason in later ones."""
    said = ruling.reason
    if ruling.opens == opens:
        whose += f" ({ruling.rule})" if ruling.rule else ""
        said = phrase("ruling_whole", text=ruling.text.strip(), reason=said)
    return phrase("ruling_line", window=ruling.window, whose=whose, said=said + late(ruling))


def late(ruling: Ruling) -> str:
    """What stands behind a ruling that came late, or was taken back."""
    late_ = phrase("ruling_late") if ruling.timely is False else ""
    return late_ + (phrase("ruling_undone") if ruling.undone else "")
