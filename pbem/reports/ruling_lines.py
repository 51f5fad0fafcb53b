"""The lines of a report about the moderator's rulings."""

from __future__ import annotations

from pbem.store.holders import Ruling
from pbem.store.register import Register
from pbem.text.messages import phrase


def flags(register: Register, opens: int, closed: int, side: str = "") -> list[str]:
    """The lines about rulings in reports that open window `opens`.

    Without `side`: the lines for all sides. With `side`: the lines that this side gets in addition,
    about rulings that not all sides are told in full. closed: the last window that has closed. That
    a ruling was made when orders were in is told once a window has closed behind it.
    """
    if side:
        told = [r for r in register.rulings if side in (r.to or ())]
        return [_line(r, closed, phrase("ruling_yours")) for r in told]
    return [line for r in register.rulings for line in _public(r, opens, closed)]


def _public(ruling: Ruling, opens: int, closed: int) -> list[str]:
    """The lines for all sides: the ruling if all may know it, else only that there was one; and, in
    the report that it opens, that orders for the former window are void."""
    window, said = ruling.window, phrase("ruling_hidden") + late(ruling, closed)
    lines = [phrase("ruling_line", window=window, whose="", said=said)]
    lines = [_line(ruling, closed)] if ruling.to is None else lines
    return [*lines, phrase("ruling_voids", window=window)] if ruling.opens == opens else lines


def _line(ruling: Ruling, closed: int, whose: str = "") -> str:
    """A ruling's line: in full in every report, as it holds for the rest of the game, and whoever
    takes a side over has this report alone."""
    whose += f" ({ruling.rule})" if ruling.rule else ""
    said = phrase("ruling_whole", text=ruling.text.strip(), reason=ruling.reason)
    return phrase(
        "ruling_line", window=ruling.window, whose=whose, said=said + late(ruling, closed)
    )


def late(ruling: Ruling, closed: int) -> str:
    """Words after a ruling that was made late or was taken back; empty for other rulings."""
    open_ = closed < (ruling.opens or ruling.window)
    late_ = phrase("ruling_late") if ruling.timely is False and not open_ else ""
    return late_ + (phrase("ruling_undone") if ruling.undone else "")
