"""R093, R094: weather changes only as Initiative does."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase import leaders
from games.atlantic_chase.state import War
from games.atlantic_chase.tables import rules
from pbem.model import D6, TableLike


async def check(table: TableLike, war: War) -> None:
    """R093 The new Active side's check: good turns bad on 6, bad turns good on 5 and 6."""
    (die,) = await leaders.roll(table, war, f"WEATHER/CHECK/-/{war.active.upper()}", D6, war.active)
    before, good = war.weather, war.weather == "good"
    needed = rules().weather.worse if good else rules().weather.better
    if die >= needed:
        war.weather = "bad" if good else "good"
    why = f"rolled {die}, {'bad' if good else 'good'} on {needed if needed == 6 else f'{needed}-6'}"
    changed = war.weather != before
    table.tell(
        table.sides, ev.WeatherRolled(rule="R093", why=why, weather=war.weather, changed=changed)
    )
