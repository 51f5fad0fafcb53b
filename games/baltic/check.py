"""Checks of orders, for referee and order page, and what the receipt says of a course."""

from __future__ import annotations

from msgspec import Struct, convert

from games.baltic import able, berths, cards, courses
from games.baltic import verbs as v
from games.baltic.berths import Berth
from games.baltic.courses import Sailing, Step
from games.baltic.report import OwnVessel, Span
from games.baltic.seen import Seen
from games.baltic.tables import distances, seas, size
from games.baltic.verbs import GRAMMAR
from pbem.kit import checks, plane
from pbem.kit.checks import Checks, Refused
from pbem.kit.plane import Point, Pose

CHECKS = Checks(GRAMMAR, Seen)
CHECKS.on()(able.in_time)
CHECKS.on()(able.by_sort)
CHECKS.on()(able.afloat)
CHECKS.on(v.Speed)(able.telegraphed)
CHECKS.on(v.Down, v.Up)(able.hull_down)
CHECKS.on(v.Move, v.Steer, v.Glide)(able.sails)
CHECKS.on(v.Fire, v.Torpedo, v.Beam, v.Bomb)(able.armed)
CHECKS.on(v.Launch, v.Stock, v.Choose, v.Board)(able.equipped)
CHECKS.on(v.Escort, v.Cap, v.Break)(able.fighters)
CHECKS.on(v.Stack, v.Reserve, v.Dash)(able.cards)
CHECKS.on(v.Reserve, v.PlayReserve, v.Dash)(able.many)
CHECKS.effect(v.Reserve)(cards.set_aside)
CHECKS.on(v.Dash, arg="card")(cards.not_aside)
CHECKS.note(v.PlayReserve)(cards.reserved)
CHECKS.on(v.Stack, v.Launch, v.Group)(cards.named_once)
CHECKS.on(v.Repair, arg="spend")(cards.whole_repairs)
CHECKS.on(v.Aa)(cards.one_wish)


class Course(Struct, frozen=True):
    """How a unit can sail now."""

    pose: Pose
    how: Sailing


def sailing_of(ship: OwnVessel) -> Sailing:
    """At her setting; over what she can still do she comes down (25, 169)."""
    if len(ship.spans) == 0:
        return Sailing(0, 0, 0, 0, False)
    found = ship.spans[len(ship.spans) - 1]
    for span in ship.spans:
        if span.setting == ship.setting:
            found = span
    if ship.down:
        for span in ship.spans:
            if span.setting == found.deep:
                return sailing_at(span)
    return sailing_at(found)


def sailing_at(span: Span) -> Sailing:
    """What a setting allows."""
    return Sailing(span.low, span.high, span.eighth, span.radius, span.setting == "reverse")


def course_of(seen: Seen) -> Course | None:
    """Place and engine of the unit that gets the order; None if it is none of the report."""
    ship = seen.ship
    if ship is None:
        return None
    return Course(Pose(ship.x, ship.y, ship.heading), sailing_of(ship))


@CHECKS.effect(v.Speed, standing=True)
def telegraph_moved(seen: Seen, order: v.Speed) -> list[checks.Change]:
    """The setting by which the other orders of the set are judged; 24 a standing order counts while
    telegraphs are set, where her telegraph can go there now."""
    if seen.ship is None:
        return []
    if seen.order.standing and order.setting not in seen.listed(seen.actor, "speed", "setting"):
        return []
    row = {"setting": order.setting, "rung": True}
    return [checks.Change(seen.actor, seen.offers(seen.actor), row)]


@CHECKS.effect(v.Down)
def hull_flooded(seen: Seen, order: v.Down) -> list[checks.Change]:
    """169 With her hull down she goes without the fastest setting at once."""
    if seen.ship is None:
        return []
    return [checks.Change(seen.actor, seen.offers(seen.actor), {"down": True})]


@CHECKS.effect(v.Up)
def hull_blown(seen: Seen, order: v.Up) -> list[checks.Change]:
    """48 Back on the surface."""
    if seen.ship is None:
        return []
    return [checks.Change(seen.actor, seen.offers(seen.actor), {"down": False})]


@CHECKS.effect(v.HoldFire)
def silenced(seen: Seen, order: v.HoldFire) -> list[checks.Change]:
    """176 Who holds her fire fires nothing; of a squadron that holds it, no vessel does."""
    own = [row for row in seen.report["units"] if row.get("leader", "") == seen.actor]
    names = [seen.actor, *[str(row["id"]) for row in own]]
    return [checks.Change(name, seen.offers(name), {"held": True}) for name in names]


@CHECKS.on(v.Fire, v.Bomb)
def not_held(seen: Seen, order: v.Fire | v.Bomb) -> None:
    """176 Guns and bombs of who is told to hold her fire would never be used."""
    ship, order_turn = seen.ship, seen.order.turn
    if ship is None or not ship.held or seen.order.standing:
        return
    if order_turn is None or order_turn == seen.turn:
        text = f"another order of this set tells {seen.actor} to hold her fire"
        hint = "leave one of the two out, or say when: if range to ... over 25 then hold fire"
        raise Refused("contradiction", "176", text, hint)


@CHECKS.effect(v.Launch)
def took_off(seen: Seen, order: v.Launch) -> list[checks.Change]:
    """106 Squadrons that are launched may fly in the same turn."""
    return [checks.Change(name, seen.offers(name), {"at": "air"}) for name in order.markers]


@CHECKS.note(v.Fly, v.Attack, v.Escort, v.Cap, v.Break, v.Home, v.Group)
def on_deck(seen: Seen, order: Struct) -> str:
    """106 A squadron on deck flies only if it is launched before."""
    marker = seen.ship
    if marker is None or not seen.now or marker.at != "deck":
        return ""
    return f"{marker.id} is on deck, and no order of this set launches it"


@CHECKS.note(v.Dash)
def once_a_turn(seen: Seen, order: v.Dash) -> str:
    """164 Of several dashes with conditions one is carried out."""
    if seen.order.when is None:
        return ""
    return "one dash a turn: that whose condition holds first, even if others hold later"


@CHECKS.effect(v.Group)
def joined(seen: Seen, order: v.Group) -> list[checks.Change]:
    """120 Who flies in a group takes no orders of its own."""
    led = {"led": seen.actor}
    return [checks.Change(name, seen.offers(name), led) for name in order.markers]


@CHECKS.on(v.Fly, v.Attack, v.Escort, v.Cap, v.Break, v.Home, v.Group)
def not_led(seen: Seen, order: Struct) -> None:
    """120, 121 An order of its own parts a marker from its group."""
    marker = seen.ship
    if marker is not None and seen.now and marker.led != "":
        text = f"{marker.id} flies in the group of {marker.led} by another order of this set"
        raise Refused("grouped", "120", text, "leave one of the two out")


@CHECKS.on(v.Group, arg="markers")
def led_once(seen: Seen, order: v.Group) -> None:
    """120 A marker flies in one group."""
    for item, name in enumerate(order.markers):
        marker = seen.own(name, OwnVessel)
        if marker is not None and seen.now and marker.led not in ("", seen.actor):
            text = f"{name} flies in the group of {marker.led} by another order of this set"
            raise Refused("grouped", "120", text, "leave one of the two out", item=item)


@CHECKS.on(v.Bid, arg="points")
def in_pool(seen: Seen, order: v.Bid) -> None:
    """27, 157, 158 At least 1, or 0 for the set-up, and no more than the pool."""
    pool = seen.board.pool
    if seen.now and order.points > pool:
        raise Refused("no-points", "158", f"your pool holds {pool}", f"bid up to {pool}")
    if order.place > seen.board.places:
        text = f"there are {seen.board.places} places"
        raise Refused("no-place", "159", text, "first, last, or a number", arg="place")
    if seen.now and order.points == 0 and pool > 0 and seen.board.stage != "bid":
        raise Refused("low-bid", "27", "the least bid is 1")


@CHECKS.on(v.Buy, arg="ships")
def affordable(seen: Seen, order: v.Buy) -> None:
    """2.6 At least so many cards, and no more points than there are, on a condition too: prices
    and purse stay as they are."""
    board, cost, capital = seen.board, 0, False
    for name in order.ships:
        for price in board.market:
            if price.id == name:
                cost += price.points
                capital = capital or price.capital
    if len(board.market) == 0:
        return
    if cost > board.purse:
        text = f"that costs {cost} points; you have {board.purse}"
        raise Refused("too-dear", "2.6", text, "leave something out")
    if len(order.ships) < board.least:
        text = f"a fleet has at least {board.least} cards"
        raise Refused("too-few", "2.6", text, "buy smaller ships")
    if not capital:
        text = "a fleet needs a ship of the line: who has none left has lost"
        raise Refused("no-capital", "2.6", text)


@CHECKS.note(v.Buy)
def bought(seen: Seen, order: v.Buy) -> str:
    """What a fleet costs."""
    cost = 0
    for name in order.ships:
        for price in seen.board.market:
            if price.id == name:
                cost += price.points
    return f"{cost} of {seen.board.purse} points"


@CHECKS.on(v.Stock)
def aboard_her(seen: Seen, order: v.Stock) -> None:
    """105 No more squadrons than she carries, or the scenario gives her."""
    total, ship = order.fighters + order.bombers + order.torpedo, seen.ship
    if ship is not None and total > ship.squadrons:
        text = f"{total} squadrons; she has {ship.squadrons}"
        raise Refused("too-many", "105", text)


@CHECKS.on(v.Fly, arg="points")
def on_table(seen: Seen, order: v.Fly) -> None:
    """14 of 2.1 Aeroplanes fly over the table; over its edge they go home."""
    for item, spot in enumerate(order.points):
        if courses.mils(spot.x) > size().width or courses.mils(spot.y) > size().height:
            text = f"{spot.x} {spot.y} is beyond the edge of the table"
            raise Refused("off-table", "110", text, "to leave the table: home", item=item)


@CHECKS.on(v.Fly, arg="attack")
def in_the_air(seen: Seen, order: v.Fly) -> None:
    """126 Fighters attack what flies."""
    if order.attack != "" and seen.now and len(seen.listed(seen.actor, "fly", "attack")) == 0:
        text = f"{order.attack} is on the water, and fighters attack what flies"
        raise Refused("not-now", "126", text, "leave the attack out")


@CHECKS.on(v.Attack, v.Fly)
def loaded(seen: Seen, order: v.Attack | v.Fly) -> None:
    """129, 130 Bombers and torpedo bombers attack while they have a load."""
    marker = seen.ship
    attacks = seen.said("attack") or seen.said("contact")
    if marker is None or marker.kind != "marker" or not seen.now or not attacks:
        return
    if marker.loads == 0 and marker.type != "fighter squadron":
        raise Refused("no-load", "129", f"{marker.id} has nothing left to drop", "home to be armed")


@CHECKS.on(v.Lose)
def lost_first(seen: Seen, order: v.Lose) -> None:
    """131 A kind, or squadrons."""
    if order.first == "" and len(order.markers) == 0:
        hint = "lose bomber, or lose KB2 KB1"
        raise Refused("no-loss", "131", "name a kind of aeroplanes, or squadrons", hint)


@CHECKS.on(v.Move, arg="legs")
def legal_legs(seen: Seen, order: v.Move) -> None:
    """39, 165 Turns of half degrees, and a length within the setting."""
    astern = 0
    for item, leg in enumerate(order.legs):
        if leg.way != "ahead":
            angle = courses.units(leg.by)
            if angle % courses.HALF_DEGREE or courses.mils(leg.by) % 500:
                raise Refused(
                    "half-degrees", "165", f"{leg.by} degrees: turns go by half degrees", item=item
                )
            astern += angle
        elif courses.mils(leg.by) > 20000:
            raise Refused(
                "long-leg", "39", f"{leg.by} inches is further than any ship sails", item=item
            )
    course = course_of(seen)
    if not seen.now or course is None:
        return
    how = course.how
    steps = [courses.leg(leg.way, leg.by) for leg in order.legs]
    if how.astern and astern > courses.MOST_ASTERN:
        raise Refused("astern-turn", "165", "in Reverse the turns add up to 45 degrees at most")
    if how.eighth == 0:
        for item, step in enumerate(steps):
            if step.turn:
                raise Refused("jammed", "150", "her rudder is jammed: no turns", item=item)
    length = courses.total(steps, how.eighth)
    if length > how.high or length < how.low:
        low, high = courses.inches(how.low), courses.inches(how.high)
        text = f"that is {courses.inches(length)} inches; her setting allows {low} to {high}"
        setting, hint = fitting(seen, steps), "a turn costs the length of its arc"
        if setting != "" and rung_before(seen, setting):
            return
        if setting != "":
            hint = f"for this move set her telegraph too: {seen.actor}: speed {setting}"
        raise Refused("length", "39", text, hint)


def fitting(seen: Seen, steps: list[Step]) -> str:
    """23 While telegraphs are set, and no order of the set moves hers: the setting at which a move
    would be right; empty for none."""
    ship = seen.ship
    if ship is None or ship.rung or seen.board.stage != "all":
        return ""
    for span in ship.spans:
        length = courses.total(steps, span.eighth)
        if span.low <= length <= span.high:
            return span.setting
    return ""


def rung_before(seen: Seen, setting: str) -> bool:
    """24 May a standing order, or one given earlier for this turn, move her telegraph to it?"""
    heads = [f"@{seen.actor}", f"turn {seen.turn} {seen.actor}"]
    for said in seen.report.get("standing", []):
        if str(said).split(":")[0] in heads and f" speed {setting}" in str(said):
            return True
    return False


@CHECKS.note(v.Move)
def sailed(seen: Seen, order: v.Move) -> str:
    """The length of a move and where it ends."""
    course = course_of(seen)
    if course is None or not seen.now:
        return ""
    steps, how = [courses.leg(leg.way, leg.by) for leg in order.legs], course.how
    length, told = courses.total(steps, how.eighth), described(course, steps)
    if how.low <= length <= how.high:
        return told
    span = f"{courses.inches(how.low)} to {courses.inches(how.high)}"
    return f"{told}; {span} inches unless an order given before moves her telegraph"


def described(course: Course, steps: list[Step]) -> str:
    """`6.00 inches, ends at 11.83 15.41, heading 45`."""
    end = courses.end(course.pose, steps, course.how)
    length = courses.inches(courses.total(steps, course.how.eighth))
    place = f"{courses.inches(end.x)} {courses.inches(end.y)}"
    return f"{length} inches, ends at {place}, heading {courses.degrees(end.heading)}"


@CHECKS.on(v.Steer)
def one_goal(seen: Seen, order: v.Steer) -> None:
    """2.7 One of an enemy, a point, a bearing."""
    goals = 0
    if seen.said("contact"):
        goals += 1
    if seen.said("to"):
        goals += 1
    if seen.said("course"):
        goals += 1
    if goals != 1:
        hint = "steer VASA, steer to 12.5 30, or steer bearing 90"
        raise Refused("one-goal", "2.7", "name one goal: an enemy, a point or a bearing", hint)


@CHECKS.note(v.Steer)
def helmsman(seen: Seen, order: v.Steer) -> str:
    """2.7 The legs that the helmsman would sail now, and where they end."""
    course = course_of(seen)
    if course is None or not seen.now:
        return ""
    target = goal_of(seen, order)
    if target is None and order.course == "":
        return ""
    bearing = courses.units(order.course) if order.course else 0
    budget = courses.mils(order.speed) if order.speed else course.how.high
    keep = courses.mils(order.keep) if order.keep else 0
    steps = courses.steer(course.pose, course.how, target, bearing, keep, budget)
    words = []
    for step in steps:
        if step.turn:
            side = "starboard" if step.turn > 0 else "port"
            words.append(f"{side} {courses.degrees(abs(step.turn))}")
        else:
            words.append(f"ahead {courses.inches(step.length)}")
    return f"now {' '.join(words)}: {described(course, steps)}"


def goal_of(seen: Seen, order: v.Steer) -> Point | None:
    """The point to steer for; None for a bearing."""
    if order.contact:
        enemy = seen.enemy(order.contact)
        return None if enemy is None else (enemy.x, enemy.y)
    if order.to is not None:
        return (courses.mils(order.to.x), courses.mils(order.to.y))
    return None


@CHECKS.on(v.Glide, arg="to")
def in_reach(seen: Seen, order: v.Glide) -> None:
    """44 Ten to twenty inches from where she is."""
    ship = seen.ship
    if ship is None or not seen.now:
        return
    here, end = (ship.x, ship.y), (courses.mils(order.to.x), courses.mils(order.to.y))
    way = [(courses.mils(spot.x), courses.mils(spot.y)) for spot in order.by]
    away, length = plane.square(here, end), courses.way_length(here, [*way, end])
    least, most = distances().aerial_least, distances().aerial_most
    if way and length > most:
        text = f"that way is {courses.inches(length)} inches long"
        raise Refused("glide", "44", text, "aerial corvettes fly 20 inches at most")
    if away < least * least or away > most * most:
        text = f"that is {courses.inches(plane.root(away))} inches away"
        raise Refused("glide", "44", text, "aerial corvettes end 10 to 20 inches away")


@CHECKS.on(v.Fire)
def one_target(seen: Seen, order: v.Fire) -> None:
    """66 An enemy by name, or a choice."""
    if order.at != "" and order.pick != "":
        raise Refused(
            "two-targets", "182", f"{order.pick} and {order.at} cannot both be the target"
        )
    if order.at == "" and order.pick == "":
        hint = "fire A at VASA, or fire A nearest"
        raise Refused("no-target", "182", "name the target", hint)


@CHECKS.on(v.Beam)
def one_path(seen: Seen, order: v.Beam) -> None:
    """93 A bearing or an enemy."""
    if (order.at == "") == (order.along == ""):
        hint = "beam BP at VASA, or beam BP 270"
        raise Refused("one-path", "187", "name one path: a bearing or an enemy", hint)


@CHECKS.on(v.Board, arg="troopers")
def aboard(seen: Seen, order: v.Board) -> None:
    """102 No more troopers than she has."""
    ship = seen.ship
    if ship is not None and seen.now and order.troopers > ship.ram:
        raise Refused("no-troopers", "102", f"she has {ship.ram} troopers left")


@CHECKS.on(v.Deploy, arg="at")
def in_zone(seen: Seen, order: v.Deploy) -> None:
    """215 Within the own area."""
    zone = seen.board.zone
    if len(zone) < 4:
        return
    west, south, east, north = zone[0], zone[1], zone[2], zone[3]
    x, y = courses.mils(order.at.x), courses.mils(order.at.y)
    if x < west or x > east or y < south or y > north:
        text = f"your area is {west // 1000} to {east // 1000} east, "
        text += f"{south // 1000} to {north // 1000} north"
        raise Refused("outside", "215", text)


@CHECKS.on(v.Deploy, arg="at")
def free_water(seen: Seen, order: v.Deploy) -> None:
    """215 Clear of terrain, and of the ships that the set has placed already."""
    ship, board = seen.ship, seen.board
    if ship is None or len(board.zone) < 4 or not seen.now:
        return
    x, y = courses.mils(order.at.x), courses.mils(order.at.y)
    wanted = berths_of(ship, Pose(x, y, courses.units(order.heading)))
    others: list[Berth] = []
    for row in seen.report["units"]:
        if row.get("placed", False) and row["id"] != seen.actor:
            placed = convert(row, OwnVessel)
            others.extend(berths_of(placed, Pose(placed.x, placed.y, placed.heading)))
    if reason := berths.barred(wanted, board.zone, seas()[board.map], ship.shuns, others):
        raise Refused("no-berth", "215", reason, "begin elsewhere")


def berths_of(ship: OwnVessel, pose: Pose) -> list[Berth]:
    """The vessels of a ship or squadron that begins there."""
    names = [ship.id]
    if ship.kind == "squadron":
        names = [f"{ship.id}{number + 1}" for number in range(ship.vessels)]
    return berths.berths(names, pose, ship.hull_size)


@CHECKS.effect(v.Deploy)
def put_there(seen: Seen, order: v.Deploy) -> list[checks.Change]:
    """The other ships of the set keep clear of her."""
    if seen.ship is None:
        return []
    row = {
        "x": courses.mils(order.at.x),
        "y": courses.mils(order.at.y),
        "heading": courses.units(order.heading),
        "placed": True,
    }
    return [checks.Change(seen.actor, seen.offers(seen.actor), row)]


@CHECKS.on(v.Deploy, arg="heading")
def half_degrees(seen: Seen, order: v.Deploy) -> None:
    """15 of 2.1 Headings in half degrees."""
    if courses.mils(order.heading) % 500:
        raise Refused(
            "half-degrees", "OWN", f"{order.heading} degrees: headings go by half degrees"
        )
