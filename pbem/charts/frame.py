"""Head and foot of a chart: the facts above the map, the legend and the scale below it."""

from __future__ import annotations

from pbem.charts.svg_path import number
from pbem.charts.text_metrics import measure
from pbem.charts.viewport import PAD
from pbem.model import Plain
from pbem.scene import Box, Key, Scene
from pbem.text.layout import date

ROW = 30
"""Height of a row of the legend, in pixels."""


HEAD, LEAST = 15.0, 11.0
"""Size of the line above a detail chart, and the least one, in pixels."""


def head_size(scene: Scene, room: float) -> str:
    """Size of the letters above a detail chart, so that they fit."""
    plain = "".join(
        f" · {text}" for text in ("" if scene.roster else scene.when, scene.caption) if text
    )
    wide = measure(scene.side.upper(), ("sans-700", HEAD)) + measure(plain, ("sans-400", HEAD))
    return number(max(min(HEAD, HEAD * room / wide), LEAST))


def boxes(scene: Scene, right: float) -> list[Plain]:
    """The boxes of the head with their places, aligned to the right edge at x = `right`.

    The deadline, if there is one, is the last.
    """
    due = [Box("Orders due", date(scene.deadline), alarm=True)] if scene.deadline else []
    found: list[Plain] = []
    for fact in reversed([*scene.boxes, *due]):
        head = measure(fact.name.upper(), ("sans-600", 10), 1.1)
        body = measure(fact.value, ("sans-700", 17))
        wide = 24 + max(head, body)
        right -= wide
        box = {
            "x": number(right),
            "w": number(wide),
            "fact": fact,
            "head": number(head),
            "body": number(body),
        }
        found.insert(0, box)
        right -= 10
    return found


def legend(scene: Scene, pitch: float, wide: float, y: float) -> list[Plain]:
    """The columns of the legend, from y down; the last has the scale and the small print."""
    scale = _scale(scene, pitch)
    last = [Key("Chart", ())] if scale or scene.notes else []
    keys = [*scene.legend, *last]
    room = (wide - 2 * PAD) / max(len(keys), 1)
    return [
        {
            "x": number(PAD + i * room),
            "y": number(y),
            "title": key.title,
            "rows": [
                (26 + ROW * j, *symbol.partition(":")[::2], said)
                for j, (symbol, said) in enumerate(key.rows)
            ],
            "scale": scale if key in last else None,
            "notes": scene.notes if key in last else (),
        }
        for i, key in enumerate(keys)
    ]


MILE = 1.852
"""Kilometres of a nautical mile."""
BARS, BAR = (100, 300, 1000, 3000), 200
"""Lengths of a scale bar in miles, and its greatest length in pixels."""


def _scale(scene: Scene, pitch: float) -> Plain | None:
    """The longest scale bar that fits, in nautical miles or in units of the plane; None if the
    board has neither a real coast nor a unit."""
    if scene.mesh and scene.mesh.unit:
        units = scene.mesh.step * max(BAR // (scene.mesh.step * pitch), 1)
        length = units * pitch
        said = number(units / 2), f"{number(units)} {scene.mesh.unit}"
        return {"length": number(length), "half": number(length / 2), "marks": said}
    if scene.coast is None:
        return None
    mile = MILE / scene.coast.km * pitch
    miles = max((n for n in BARS if n * mile <= BAR), default=BARS[0])
    length = miles * mile
    marks = miles // 2, f"{miles} n mi"
    return {"length": number(length), "half": number(length / 2), "marks": marks}
