"""2.1 and 2.2 Initiative and planning: telegraph, hull, bids, and the stack of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from games.baltic import events as ev
from games.baltic import hulls
from games.baltic import verbs as v
from games.baltic.state import Card, Reason, War
from games.baltic.tables import SETTINGS, Setting, figures, telegraph
from orders.book import Book, Facts
from orders.model import Value
from orders.verbs import Arg
from pbem.kit.doctrine import Doctrine
from pbem.model import Side, TableLike

Books = Mapping[Side, Book]
FIRST, LAST = "FIRST", "LAST"
CRAWL = SETTINGS.index("crawl")
STOP = SETTINGS.index("stop")


def highest(war: War, card: Card) -> int:
    """39-40, 47, 86, 149 The place in SETTINGS of the fastest that a card may steam at."""
    vessel, top = war.members(card)[0], _left(war, card)
    return min(top, CRAWL) if vessel.crippled and not vessel.of.flies else top


def _left(war: War, card: Card, down: bool | None = None) -> int:
    """47, 149 The fastest setting that hull and engines leave her, crippled or not."""
    top = len(telegraph(hulls.column(card.of))) - 1
    top -= (card.down if down is None else down) + war.members(card)[0].hit_by("engine")
    return max(top, STOP)


def allowed(war: War, card: Card) -> list[Setting]:
    """23, 25 The settings to which a card may move its telegraph now: one up or down, or as it is;
    over what it can still do it must come down by one. Aground there is no way but astern (63)."""
    if card.of.trait == "aerial":
        return ["full"]
    if war.members(card)[0].aground:
        return ["reverse", "stop"]
    now, top = SETTINGS.index(card.setting), highest(war, card)
    if now > top:
        return [SETTINGS[now - 1]]
    return [SETTINGS[i] for i in (now - 1, now, now + 1) if 0 <= i <= top]


def flooded(war: War, card: Card, setting: Setting) -> Setting:
    """169 The setting with the hull down, if this one is over what is left then; one that is
    crippled still coasts down to Crawl (25)."""
    if card.of.trait != "hull-down":
        return setting
    return SETTINGS[min(SETTINGS.index(setting), _left(war, card, True))]


def telegraph_set(table: TableLike, war: War, books: Books, facts: Mapping[Side, Facts]) -> None:
    """23-26, 153, 169 Every card's new setting and hull, then told to all."""
    for name in war.order:
        card = war.cards[name]
        if not war.members(card):
            continue
        book, knows = books[card.side], facts[card.side]
        before, trim = card.setting, _trim(card, book, knows)
        given = next(book.commands(card.id, {"speed": v.Speed}, knows), None)
        options = allowed(war, card)
        if given and given.order.setting in options:
            card.setting = given.order.setting
        elif card.setting not in options:
            card.setting = options[0]
        if given and given.order.setting not in options and not given.standing:
            _barred(table, war, card, given.order.setting, before)
        if trim:
            card.down = trim == "down"
            if card.down:
                card.setting = flooded(war, card, card.setting)
        if card.setting != before or trim:
            told = ev.TelegraphSet(
                rule="23", card=card.id, setting=card.setting, before=before, trim=trim
            )
            table.tell(table.sides, told)


def _barred(table: TableLike, war: War, card: Card, wished: Setting, before: Setting) -> None:
    """23, 25, 63 An order of this turn that her telegraph cannot carry out, as one that was written
    turns ago may not: her captain is told."""
    aground = bool(war.members(card)[0].aground)
    slowed = SETTINGS.index(before) > highest(war, card)
    rule = "63" if aground else "25" if slowed else "23"
    what = f"her telegraph cannot go to {wished}: it stays at {card.setting}"
    if card.setting != before:
        what = f"her telegraph cannot go to {wished}: it comes down to {card.setting}"
    table.tell([card.side], ev.Unable(rule=rule, actor=card.id, what=what))


def _trim(card: Card, book: Book, facts: Facts) -> str:
    """48 `down` or `up` if the hull changes, else empty."""
    if card.of.trait != "hull-down":
        return ""
    if not card.down and book.find(card.id, v.Down, facts):
        return "down"
    return "up" if card.down and book.find(card.id, v.Up, facts) else ""


class Stake(Doctrine, frozen=True):
    """27 Strategy points for the initiative, answered by `bid`."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The points of the order in force."""
        order = self.said(book, facts, v.Bid)
        return order.points if order else None


class Place(Doctrine, frozen=True):
    """159 Which place to take in the order of activation."""

    places: int = 2
    """How many there are."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The place that the bid names, if it is left."""
        order = self.said(book, facts, v.Bid)
        if not order:
            return None
        wished = str(order.place) if order.place else order.where.upper()
        if wished not in self.choices:
            wished = {"1": FIRST, str(self.places): LAST}.get(wished, wished)
        return wished if wished in self.choices else None


def stakes(war: War, sides: Sequence[Side], least: int | None = None) -> dict[Side, list[Stake]]:
    """27, 158 The sealed bids: 1 at least (157: 0 for the set-up), and what a side has at most."""
    asked = {}
    for side in sides:
        pool = war.pools[side]
        low = _least(war, side, least)
        form = Arg("points", "number", least=low, most=max(pool, low))
        asked[side] = [
            Stake(
                about="the set-up" if least == 0 else "the initiative",
                form=form,
                default=low,
                actors=(side.upper(),),
                rule="27",
                source="orders",
            )
        ]
    return asked


def _least(war: War, side: Side, least: int | None) -> int:
    """158 An empty pool bids nothing."""
    return min(figures().least_bid if least is None else least, war.pools[side])


async def places(
    table: TableLike, war: War, bids: Mapping[Side, Sequence[Value]], least: int | None = None
) -> None:
    """28-30, 159, 160 Bids are paid; the highest chooses its place, then the next. Sides that are
    out of the battle (213) come last: torpedoes of theirs may still run."""
    paid = {side: _paid(war, side, given[0], least) for side, given in bids.items()}
    for side, points in paid.items():
        war.pools[side] -= points
    ranked = _ranked(table, war, paid)
    free = list(range(1, len(ranked) + 1))
    taken: dict[int, Side] = {}
    for side in ranked:
        about = "the order of activation" if least is None else "the order of setting up"
        place = await _place(table, side, free, side == ranked[0], len(ranked), about)
        free.remove(place)
        taken[place] = side
        tied = list(paid.values()).count(paid[side]) > 1
        told = ev.BidPaid(
            rule="29" if tied else "28", side=side, points=paid[side], place=place, tied=tied
        )
        table.tell(table.sides, told)
    last = [side for side in war.sides if side not in paid]
    war.places = [*(taken[place] for place in sorted(taken)), *last]


async def _place(
    table: TableLike, side: Side, free: list[int], best: bool, places: int, about: str
) -> int:
    """159 The place that a side takes of those left: by default the winner the first, all others
    the last."""
    if len(free) == 1:
        return free[0]
    middle = (str(n) for n in free if n not in (free[0], free[-1]))
    asked = Place(
        about=about,
        choices=(FIRST, LAST, *middle),
        default=FIRST if best else LAST,
        actors=(side.upper(),),
        rule="159",
        places=places,
    )
    (answer,) = await table.ask(side, [asked])
    return {FIRST: free[0], LAST: free[-1]}.get(str(answer)) or int(str(answer))


def _paid(war: War, side: Side, answer: Value, least: int | None) -> int:
    """158 What a side really bids."""
    wished = int(str(answer)) if str(answer).isdigit() else 0
    return min(max(wished, _least(war, side, least)), war.pools[side])


def _ranked(table: TableLike, war: War, paid: Mapping[Side, int]) -> list[Side]:
    """28, 29 The highest bid first; ties by a die that all see (B7)."""
    ranked: list[Side] = []
    for points in sorted(set(paid.values()), reverse=True):
        equal = [side for side in paid if paid[side] == points]
        label = f"PLANNING/TIE/TURN {war.turn} BID {points}/REFEREE"
        ranked += table.shuffle(label, equal, table.sides)
    return ranked


def stacks(table: TableLike, war: War, books: Books, facts: Mapping[Side, Facts]) -> None:
    """31, 33, 35, 162 Sealed: every side's cards from the top, and one in reserve."""
    war.dashed, war.reserves = [], {}
    for card in war.cards.values():
        card.used = False
    for side in war.sides:
        cards = [n for n in war.order if war.cards[n].side == side and war.members(war.cards[n])]
        book, knows, seat = books[side], facts[side], side.upper()
        order = book.find(seat, v.Stack, knows)
        first = [n for n in dict.fromkeys(order.cards) if n in cards] if order else []
        stack = [*first, *(n for n in cards if n not in first)]
        reserve = book.find(seat, v.Reserve, knows)
        if reserve and reserve.card in stack and not war.small:
            stack.remove(reserve.card)
            war.reserves[side] = reserve.card
        war.stacks[side] = stack
        for reason in _unplayable(war, side, book, knows):
            table.tell([side], ev.Unable(rule=reason.rule, actor=seat, what=reason.what))


def _unplayable(war: War, side: Side, book: Book, facts: Facts) -> Iterator[Reason]:
    """31, 32, 34 Orders of this turn, whatever happens in it, for a card that is not there."""
    kinds: Mapping[str, type[Struct]] = {
        "reserve": v.Reserve,
        "dash": v.Dash,
        "play reserve": v.PlayReserve,
    }
    for command in book.commands(side.upper(), kinds, facts):
        order = command.order
        if command.standing or command.conditional:
            continue
        if isinstance(order, v.PlayReserve) and side not in war.reserves:
            yield Reason("32", "no card is set aside: there is no reserve to play")
        elif isinstance(order, v.Reserve | v.Dash) and not war.named(order.card):
            rule = "31" if isinstance(order, v.Reserve) else "34"
            yield Reason(rule, f"{order.card} is lost, and its card is not played")


def resigned(table: TableLike, war: War, books: Books, facts: Mapping[Side, Facts]) -> bool:
    """213 Sides that give the battle up: all that they have left counts as wrecked. Has one?"""
    for side in war.sides:
        if side not in war.resigned and books[side].find(side.upper(), v.Resign, facts[side]):
            war.resigned.append(side)
            table.tell(table.sides, ev.Resigned(rule="213", side=side))
            for vessel in war.listed():
                if vessel.side == side and vessel.acts:
                    vessel.hull = 0
    return bool(war.resigned)
