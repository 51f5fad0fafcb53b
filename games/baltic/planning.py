"""2.1 and 2.2 Initiative and planning: telegraph, hull, bids, and the stack of cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.baltic import events as ev
from games.baltic import hulls
from games.baltic import verbs as v
from games.baltic.state import Card, War
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


def highest(war: War, card: Card, down: bool | None = None) -> int:
    """39-40, 47, 86, 149 The place in SETTINGS of the fastest that a card may steam at."""
    vessel = war.members(card)[0]
    top = len(telegraph(hulls.column(card.of))) - 1
    top -= (card.down if down is None else down) + vessel.hit_by("engine")
    if vessel.crippled and not vessel.of.flies:
        top = min(top, CRAWL)
    return max(top, STOP)


def allowed(war: War, card: Card) -> list[Setting]:
    """23, 25 The settings to which a card may move its telegraph now: one up or down, or as it is;
    over what it can still do it must come down by one."""
    if card.of.trait == "aerial":
        return ["full"]
    now, top = SETTINGS.index(card.setting), highest(war, card)
    if now > top:
        return [SETTINGS[now - 1]]
    return [SETTINGS[i] for i in (now - 1, now, now + 1) if 0 <= i <= top]


def telegraph_set(table: TableLike, war: War, books: Books, facts: Mapping[Side, Facts]) -> None:
    """23-26, 153, 169 Every card's new setting and hull, then told to all."""
    for name in war.order:
        card = war.cards[name]
        if not war.members(card):
            continue
        book, knows = books[card.side], facts[card.side]
        before, trim = card.setting, _trim(card, book, knows)
        order = book.find(card.id, v.Speed, knows)
        options = allowed(war, card)
        if order and order.setting in options:
            card.setting = order.setting
        elif card.setting not in options:
            card.setting = options[0]
        if trim:
            card.down = trim == "down"
            top = highest(war, card)
            if card.down and SETTINGS.index(card.setting) > top:
                card.setting = SETTINGS[top]
        if card.setting != before or trim:
            told = ev.TelegraphSet(
                rule="23", card=card.id, setting=card.setting, before=before, trim=trim
            )
            table.tell(table.sides, told)


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

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The place that the bid names, if it is left."""
        order = self.said(book, facts, v.Bid)
        if not order:
            return None
        wished = str(order.place) if order.place else order.where.upper()
        return wished if wished in self.choices else None


def stakes(war: War) -> dict[Side, list[Stake]]:
    """27, 158 The sealed bids: 1 at least, and what a side has at most."""
    asked = {}
    for side in war.sides:
        pool = war.pools[side]
        least = min(figures().least_bid, pool)
        form = Arg("points", "number", least=least, most=max(pool, least))
        asked[side] = [
            Stake(
                about="the initiative",
                form=form,
                default=least,
                actors=(side.upper(),),
                rule="27",
                source="orders",
            )
        ]
    return asked


async def places(table: TableLike, war: War, bids: Mapping[Side, Sequence[Value]]) -> None:
    """28-30, 159, 160 Bids are paid; the highest chooses its place, then the next."""
    paid = {side: _paid(war, side, bids[side][0]) for side in war.sides}
    for side in war.sides:
        war.pools[side] -= paid[side]
    ranked = _ranked(table, war, paid)
    free = list(range(1, len(ranked) + 1))
    taken: dict[int, Side] = {}
    for side in ranked:
        names = [FIRST, LAST, *(str(n) for n in free if n not in (free[0], free[-1]))]
        choices = tuple(names) if len(free) > 1 else (FIRST,)
        default = FIRST if side == ranked[0] else LAST if len(free) > 1 else FIRST
        asked = Place(
            about="the order of activation",
            choices=choices,
            default=default,
            actors=(side.upper(),),
            rule="159",
        )
        (answer,) = await table.ask(side, [asked]) if len(free) > 1 else (FIRST,)
        place = {FIRST: free[0], LAST: free[-1]}.get(str(answer)) or int(str(answer))
        free.remove(place)
        taken[place] = side
        told = ev.BidPaid(rule="28", side=side, points=paid[side], place=place)
        table.tell(table.sides, told)
    war.places = [taken[place] for place in sorted(taken)]


def _paid(war: War, side: Side, answer: Value) -> int:
    """158 What a side really bids."""
    pool = war.pools[side]
    wished = int(str(answer)) if str(answer).isdigit() else 0
    return min(max(wished, min(figures().least_bid, pool)), pool)


def _ranked(table: TableLike, war: War, paid: Mapping[Side, int]) -> list[Side]:
    """28, 29 The highest bid first; ties by a die that all see (B7)."""
    ranked: list[Side] = []
    for points in sorted(set(paid.values()), reverse=True):
        equal = [side for side in war.sides if paid[side] == points]
        label = f"PLANNING/TIE/TURN {war.turn} BID {points}/REFEREE"
        ranked += table.shuffle(label, equal, table.sides)
    return ranked


def stacks(war: War, books: Books, facts: Mapping[Side, Facts]) -> None:
    """31, 33, 35, 162 Sealed: every side's cards from the top, and one in reserve."""
    war.dashed, war.reserves = [], {}
    for side in war.sides:
        cards = [n for n in war.order if war.cards[n].side == side and war.members(war.cards[n])]
        book, knows, seat = books[side], facts[side], side.upper()
        order = book.find(seat, v.Stack, knows)
        first = [n for n in dict.fromkeys(order.cards) if n in cards] if order else []
        stack = [*first, *(n for n in cards if n not in first)]
        reserve = book.find(seat, v.Reserve, knows)
        if reserve and reserve.card in stack and len(cards) > figures().small_fleet:
            stack.remove(reserve.card)
            war.reserves[side] = reserve.card
        war.stacks[side] = stack
        for name in cards:
            war.cards[name].used = False
