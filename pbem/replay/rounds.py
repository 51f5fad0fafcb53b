"""The rounds of a fight within one window of a replay, and the record sheets below its chart."""

from __future__ import annotations

import msgspec

from pbem.beside_map import Boxes
from pbem.replay.layers import Board
from pbem.replay.things import things
from pbem.scene import Scene
from pbem.web.page_data import Data


def rounds(board: Board, scene: Scene | None) -> Data | None:
    """What a side's chart has for each of its small pictures, and its table; None without either.

    r: for each small picture its title, what it says, and the numbers of its things. k: the columns
    of the table. t: its rows, each with the owner, the name, whether it is struck, and the cells: a
    number of the text table, or the boxes and how many of them are lost.
    """
    if scene is None or not (scene.insets or scene.roster):
        return None
    text, found = board.text, []
    for inset in scene.insets:
        alone = {"shapes": inset.shapes, "tracks": inset.tracks, "marks": inset.marks}
        part = msgspec.structs.replace(scene, earlier=(), **alone)
        drawn = [board.tables.things(t) for t in things(part, board.page, board.scene.shapes)]
        said = ": ".join(
            filter(None, (", ".join(filter(None, (inset.title, inset.note))), inset.said))
        )
        found.append([text(inset.title), text(said), drawn])
    kept: dict[str, object] = {"r": found}
    if scene.roster:
        rows = [
            [
                row.owner,
                text(row.name),
                int(row.struck),
                [[c.count, c.lost] if isinstance(c, Boxes) else text(c) for c in row.cells],
            ]
            for row in scene.roster.rows
        ]
        kept |= {"k": [text(name) for name in scene.roster.columns], "t": rows}
    return kept
