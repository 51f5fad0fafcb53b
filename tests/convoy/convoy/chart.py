"""The chart of a report: convoys, escorts, submarines, and contacts where they were seen last."""

from collections.abc import Mapping

from msgspec import convert
from pbem.kit.charts import ago, grid, middle, places
from pbem.model import ContactView
from pbem.scene import Contact, Key, Region, Scene, Unit

from convoy.game import CELLS, SEA, Shown, around

SYMBOLS = {"convoy": "MV", "escort": "DD", "submarine": "SS"}
LEGEND = (*((f"counter:{SYMBOLS[kind]}", kind) for kind in SYMBOLS), ("dashed:own", "what a unit sees"))


def scene(report: Mapping[str, object]) -> Scene:
    """The chart of a report (decoded report.json). It reads nothing else."""
    shown = convert(report, Shown)
    eyes = [(u.place, *around(u.place, 1 if u.down else 2)) for u in shown.units if u.kind != "convoy"]
    return Scene(
        title=shown.title or "Convoy",
        side=shown.side_name,
        when=shown.label,
        window=(0.2, -0.8, 10.8, 9.8),
        grid=grid(SEA, CELLS),
        units=tuple(
            Unit(id=u.id, name=u.name, symbol=SYMBOLS[u.kind], at=middle(SEA, u.place), note=u.type)
            for u in shown.units
        ),
        contacts=tuple(contact(seen) for seen in shown.contacts),
        shapes=tuple(Region(cells=cells, dashed=True) for cells in eyes),
        deadline=shown.deadline,
        legend=(Key("The sea", LEGEND), Key("Contacts", (("old", "seen last turn, earlier"),))),
        focus=places(lambda cell: middle(SEA, cell), shown.units),
        pitch=70,
    )


def contact(seen: ContactView) -> Contact:
    """An enemy where it was seen last; a triangle for a submerged one."""
    at, deep = middle(SEA, seen.place), seen.type.startswith("submerged")
    note, age = ago(seen.age), seen.age
    return Contact(id=seen.id, label=seen.id, what=seen.type, note=note, age=age, at=at, submerged=deep)
