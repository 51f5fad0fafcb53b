"""A chart in one line of words, for a reader who does not see the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.charts.chart import page_of
from pbem.charts.mend import mended
from pbem.charts.viewport import Page
from pbem.scene import Contact, Point, Scene

NAMED = 5
"""Units, or contacts, that the line names at most. Of more it names one less, and their number."""


def described(scene: Scene, public: bool = False) -> str:
    """Whose picture of which turn the detail chart of a scene is, and what stands on it:
    `Chart, The hunter, turn 3 of 8: own Hound, Beagle; contacts Twig`.

    Like the scene it tells nothing but the report. public: for spectators, who own nothing.
    """
    scene = mended(scene)
    page = page_of(scene, detail=True)
    own = _some(_forces(scene, page))
    seen = _some(_called(c) for c in scene.contacts if _shows(scene, page, c))
    told = [f"{'units' if public else 'own'} {own}"] if own else []
    told += [f"contacts {seen}"] if seen else []
    head = ", ".join(filter(None, ("Chart", scene.side, scene.when, scene.caption)))
    return f"{head}: {'; '.join(told)}" if told else head


def _forces(scene: Scene, page: Page) -> Iterator[str]:
    """The own units on the page that have a name there; of a force with its members it alone."""
    known = {unit.id for unit in scene.units}
    for unit in scene.units:
        named = unit.name or unit.caption
        alone = unit.role != "member" or unit.force not in known
        if named and alone and page.holds(*page.px(unit.at)):
            yield named


def _called(contact: Contact) -> str:
    """A contact as its chart calls it; empty for a hull of a squadron that is named elsewhere."""
    return contact.name or ("" if contact.footprint else contact.id)


def _shows(scene: Scene, page: Page, contact: Contact) -> bool:
    """Whether a contact stands on the page, or the cells that it may be in reach into it."""
    places: list[Point] = [contact.at] if contact.at else []
    places += [scene.grid.cells[name] for name in contact.cells if name in scene.grid.cells]
    return any(page.holds(*page.px(at)) for at in places)


def _some(names: Iterable[str]) -> str:
    """The first of those names, and how many there are besides: `Hood, Norfolk and 3 more`."""
    found = list(dict.fromkeys(filter(None, names)))
    if len(found) <= NAMED:
        return ", ".join(found)
    return f"{', '.join(found[: NAMED - 1])} and {len(found) - NAMED + 1} more"
