"""Bots read reports and write orders; every line of theirs must stand. Whole games: test_games."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import convert

from games.bismarck import board, bot, bot_british, bot_common, bot_german, bot_hunt
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.bot_common import Report
from games.bismarck.events import AirFlew, AirLanded, AirLost, OrderFailed
from games.bismarck.events_battle import Struck
from games.bismarck.game import SYSTEM
from games.bismarck.verbs import Fly, Search
from pbem.bots.bot_orders import Match, order_set
from pbem.kit.bots import Luck
from pbem.model import Plain, Side
from tests.bismarck.chronicle import AS_FAR

OPTIONS = {"visibility": "errata", "fuel": "twelve", "dorsetshire": "Z20"}


def told(side: Side, text: str = "y", **fields: Any) -> str:
    """What a bot orders in the first window, with these fields of its report changed."""
    report = Match(SYSTEM, "basic", OPTIONS, "y").report(side).plain
    return bot.orders(side, {**report, **fields}, f"{text} 1")


def contact(zone: str, type_: str = "BB", **fields: Any) -> Plain:
    """A contact in a report, seen last turn."""
    seen = {"id": "EN1", "type": type_, "place": zone, "age": 1, "source": "search"}
    return {**seen, **fields}


def at(side: Side, **places: str) -> list[Plain]:
    """The units of the first report, some ships in other zones."""
    report = Match(SYSTEM, "basic", OPTIONS, "y").report(side).plain
    where = {name.replace("_", " "): zone for name, zone in places.items()}
    return [{**u, "place": where.get(u["id"], u["place"])} for u in report["units"]]


def with_plan(side: Side, **fields: str) -> str:
    """The luck of a game in which the side's plan has these fields."""
    plan = bot_british.plan if side == BRITISH else bot_german.plan
    seeds = (f"seed {n}" for n in range(2000))
    wanted = fields.items()
    return next(
        seed
        for seed in seeds
        if all(getattr(plan(Luck(f"{seed} 1")), name) == value for name, value in wanted)
    )


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", ["one", "two"])
@pytest.mark.parametrize("play", ["plotted", "asked"])
def test_every_order_of_a_bot_is_offered_and_can_be_carried_out(seed: str, play: str) -> None:
    """The match refuses what a player could not mail, as a set is judged (menu, checks, and what
    its orders change for one another)."""
    game = Match(SYSTEM, "basic", {**OPTIONS, "play": play}, seed)
    told = [one.event for closing in game.play() for one in closing.told]
    failed = [event for event in told if isinstance(event, OrderFailed)]
    assert not [event for event in failed if event.verb.split()[0] not in AS_FAR]


def test_a_bot_that_orders_what_cannot_be_mailed_is_named_with_its_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = Match(SYSTEM, "basic", OPTIONS, "x").report(GERMAN)
    monkeypatch.setattr(bot, "orders", lambda *_: "BISMARCK: move P23;\nBERGEN BOMBERS: return;")
    with pytest.raises(AssertionError, match=r"BERGEN BOMBERS: return; \(not-now"):
        order_set(SYSTEM, report, "x 1")


def test_the_same_report_and_luck_give_the_same_orders() -> None:
    assert told(GERMAN, "a") == told(GERMAN, "a")
    assert len({told(GERMAN, str(i)) for i in range(20)}) > 3
    assert len({told(BRITISH, str(i)) for i in range(20)}) > 3


def test_a_plan_is_kept_all_game() -> None:
    plans = [bot_german.plan(Luck(f"one game {window}")) for window in range(9)]
    assert len({str(plan) for plan in plans}) == 1
    assert len({str(bot_german.plan(Luck(f"game{n} 1"))) for n in range(50)}) > 30


def test_standing_orders_are_given_once_and_again_when_one_is_missing() -> None:
    first = [line for line in told(GERMAN).splitlines() if line.startswith("@")]
    assert first
    assert "@" not in told(GERMAN, standing=first)
    missing = first[0].partition(":")[0]
    again = [line for line in told(GERMAN, standing=first[1:]).splitlines() if "@" in line]
    assert again == [line for line in first if line.startswith(f"{missing}:")]


def test_the_raiders_break_out_and_the_british_keep_watch() -> None:
    game = Match(SYSTEM, "basic", OPTIONS, with_plan(GERMAN, sails="at once"))
    for _ in range(10):
        game.window()
    war = game.drive.state
    assert war.ships["BISMARCK"].zone != "F20"
    assert any(s.mode == "patrol" for s in war.fleet(BRITISH))


@pytest.mark.parametrize(
    ("fuel", "turns", "quick", "zones"),
    [
        ("-", 6, True, 12),
        ("-", 6, False, 6),
        ("9/11", 6, True, 9),
        ("9/11", 6, False, 6),
        ("1", 6, False, 4),
        ("1", 6, True, 4),
        ("0/13", 7, True, 3),
    ],
)
def test_how_far_fuel_goes(fuel: str, turns: int, quick: bool, zones: int) -> None:
    assert bot_common.range_left(fuel, turns, quick) == zones


# The German


def german(luck: str, ship: str = "BISMARCK", **fields: Any) -> str:
    """The German bot's order for a ship."""
    (found,) = [
        line for line in told(GERMAN, luck, **fields).splitlines() if line.startswith(f"{ship}:")
    ]
    return found.partition(": ")[2]


@pytest.mark.parametrize(
    ("sails", "turn", "level", "order"),
    [
        ("at once", 4, "1", "move"),
        ("in thick weather", 5, "1", "hold"),
        ("in thick weather", 5, "7", "move"),
        ("in thick weather", 6, "1", "move"),
        ("not at all", 6, "7", "hold"),
        ("not at all", 6, "8", "move"),
    ],
)
def test_12_33_when_he_leaves_bergen(sails: str, turn: int, level: str, order: str) -> None:
    calm = Match(SYSTEM, "basic", OPTIONS, "y").report(GERMAN).plain["board"]
    sky = {**calm, "level": level, "fog": False}
    luck = with_plan(GERMAN, sails=sails, company="apart")
    units = at(GERMAN, PRINZ_EUGEN="C16")
    assert german(luck, turn=turn, board=sky, units=units).startswith(order)


@pytest.mark.parametrize(
    ("resort", "hits", "port"),
    [("France", 1, "move P23;"), ("Norway", 1, "move F20;"), ("none", 1, ""), ("France", 0, "")],
)
def test_12_12_a_damaged_bismarck_makes_for_port(resort: str, hits: int, port: str) -> None:
    whole = Match(SYSTEM, "basic", OPTIONS, "y").report(GERMAN).plain["board"]
    hurt = {**whole, "damage": [{"name": "Bismarck", "text": f"midships {hits} of 10"}]}
    hurt = hurt if hits else whole
    luck = with_plan(GERMAN, resort=resort, trouble="damaged", nerve="steady", company="apart")
    home = "N17" if resort == "France" else "F17"
    order = german(luck, turn=20, board=hurt, units=at(GERMAN, BISMARCK=home))
    assert (order == port) if port else order not in ("move P23;", "move F20;")


def test_a_raider_keeps_away_from_what_it_sees() -> None:
    luck = with_plan(GERMAN, nerve="careful", company="apart", resort="none")
    units = at(GERMAN, BISMARCK="H5", PRINZ_EUGEN="H2")
    order = german(luck, turn=14, units=units, contacts=[contact("H6")])
    goal = order.removeprefix("move ").rstrip(";")
    assert board.distance(goal, "H6") > 1


def test_a_bold_raider_goes_for_a_cruiser() -> None:
    luck = with_plan(GERMAN, nerve="bold", company="apart", resort="none")
    units = at(GERMAN, BISMARCK="H5", PRINZ_EUGEN="H2")
    seen = [contact("H6", "CA")]
    assert german(luck, turn=14, units=units, contacts=seen) == "move H6;"


def test_reconnaissance_searches_where_it_is() -> None:
    report = convert(Match(SYSTEM, "basic", OPTIONS, "z").report(GERMAN).plain, Report)
    luck = Luck("z 1")
    (search,) = [o for _, o in bot_german.lines(report, luck) if isinstance(o, Search)]
    assert len(bot_german.watched(report, luck)) > 1
    assert [*search.zones] == sorted(bot_german.watched(report, luck))


def test_german_bombers_fly_out_strike_and_come_home() -> None:
    """9.1 They go where something was seen, by day, and the zone is searched for them."""
    told: list[Any] = []
    for n in range(40):
        for closing in Match(SYSTEM, "basic", OPTIONS, f"bombers {n}").play():
            told += [one.event for one in closing.told if GERMAN in one.to]
        if n >= 6 and any(isinstance(e, Struck) for e in told):
            break
    bombers = [e for e in told if isinstance(e, AirFlew) and "bomber" in e.who.lower()]
    assert {e.mode for e in bombers} == {"attack"}
    assert any(isinstance(e, Struck) for e in told)
    landed = [e.who for e in told if isinstance(e, AirLanded) and "bomber" in e.who.lower()]
    assert len(bombers) // 2 <= len(landed) <= len(bombers)
    assert not any(isinstance(e, AirLost) for e in told)


# The British


@pytest.mark.parametrize(
    ("source", "age", "calls"),
    [("search", 6, True), ("search", 7, False), ("HUFF-DUFF", 0, False), ("passed", 0, False)],
)
def test_escorts_are_called_away_when_a_german_was_located(
    source: str, age: int, calls: bool
) -> None:
    luck = with_plan(BRITISH, escorts="called away")
    seen = contact("H5", source=source, age=age)
    menu = Match(SYSTEM, "basic", OPTIONS, "y").report(BRITISH).plain["menu"]
    escorts = [{"name": "ship", "kind": "unit", "values": ["RAMILLIES", "RODNEY"]}]
    menu = {**menu, "BRITISH": [*menu["BRITISH"], {"verb": "mobilise", "args": escorts}]}
    assert ("mobilise RAMILLIES" in told(BRITISH, luck, contacts=[seen], menu=menu)) is calls


@pytest.mark.parametrize(
    ("battle", "order"),
    [
        ("massed", "HOOD: form KING GEORGE V PRINCE OF WALES as TF1;"),
        ("at sight", "HOOD: form PRINCE OF WALES as TF1;"),
        ("every ship", ""),
    ],
)
def test_5_41_heavy_ships_sail_together_as_the_plan_has_it(battle: str, order: str) -> None:
    luck = with_plan(BRITISH, battle=battle)
    units = [
        {**u, "tied": ""} if u["id"] == "KING GEORGE V" else u
        for u in at(BRITISH, KING_GEORGE_V="G15")
    ]
    orders = told(BRITISH, luck, units=units).splitlines()
    assert [line for line in orders if ": form" in line] == ([order] if order else [])


def test_5_44_a_force_leaves_a_lame_ship_behind() -> None:
    luck = with_plan(BRITISH, battle="massed")
    ships = ["HOOD", "KING GEORGE V", "PRINCE OF WALES"]
    units = [
        {**u, "force": "TF1", "evasion": 9 if u["id"] == "HOOD" else 29} if u["id"] in ships else u
        for u in at(BRITISH, KING_GEORGE_V="G15")
    ]
    force = {"id": "TF1", "name": "TF1", "type": "TF", "kind": "force", "place": "G15"}
    menu: Plain = {
        "BRITISH": [],
        "TF1": [{"verb": verb, "args": []} for verb in ("break", "detach")],
    }
    fleet = [{**force, "ships": ships, "fuel": "9"}, *units]
    orders = told(BRITISH, luck, units=fleet, menu=menu)
    assert "TF1: detach HOOD;" in orders.splitlines()


def test_8_2_cruisers_take_the_zones_around_a_contact() -> None:
    """The nearest stays with it; the others stand where it may run to."""
    plain = Match(SYSTEM, "basic", OPTIONS, "y").report(BRITISH).plain
    units = at(BRITISH, NORFOLK="D5", SUFFOLK="E5", ARETHUSA="F6")
    trail = [["E6", 2]]
    report = convert({**plain, "units": units, "contacts": [contact("E5", trail=trail)]}, Report)
    cruisers = [u for u in report.units if u.type in ("CA", "CL")]
    posts = bot_british.spread(report, cruisers)
    assert posts.keys() == {"NORFOLK", "ARETHUSA"}
    assert set(posts.values()) == {"E4", "D4"}


def test_9_1_carriers_that_strike_lie_beside_the_enemy() -> None:
    luck = with_plan(BRITISH, carriers="strike")
    units = [
        {**u, "tied": ""} if u["id"] == "VICTORIOUS" else u
        for u in at(BRITISH, VICTORIOUS="I9", KING_GEORGE_V="H18")
    ]
    menu = Match(SYSTEM, "basic", OPTIONS, "y").report(BRITISH).plain["menu"]
    menu = {**menu, "VICTORIOUS": [i for i in menu["HOOD"] if i["verb"] != "patrol"]}
    seen = [contact("H5")]
    orders = told(BRITISH, luck, units=units, contacts=seen, menu=menu, turn=12).splitlines()
    (order,) = [line for line in orders if line.startswith("VICTORIOUS: move")]
    goal = order.partition("move ")[2].rstrip(";")
    assert board.distance(goal, "H5") == 1
    assert not any(line.startswith("VICTORIOUS: intercept") for line in orders)


# Runs of agreed turns


def test_both_agree_to_runs_but_not_while_the_raiders_have_to_leave_bergen() -> None:
    assert told(BRITISH).startswith("RUN 3;\n")
    assert told(BRITISH, contacts=[contact("H5")]).startswith("RUN 2;\n")
    assert "RUN" not in told(GERMAN)
    assert told(GERMAN, units=at(GERMAN, BISMARCK="H5", PRINZ_EUGEN="H5")).startswith("RUN 3;\n")


def test_a_bot_agrees_to_no_run_where_it_may_not() -> None:
    assert "RUN" not in told(BRITISH, dice_mode="strict")
    assert "RUN" not in told(BRITISH, questions=[{"kind": "Agree"}])


def test_a_match_resolves_agreed_turns_without_orders() -> None:
    match = Match(SYSTEM, "basic", OPTIONS, "balance 10")
    mails = [match.mails for _ in match.play()]
    assert mails[0] == 1 and mails == sorted(mails)
    assert 1 < mails[-1] < len(mails)


# The hunt


def hunting(board_: Plain | None = None, **fields: Any) -> Report:
    """A British report, with these fields changed."""
    plain = Match(SYSTEM, "basic", OPTIONS, "y").report(BRITISH).plain
    return convert({**plain, "board": {**plain["board"], **(board_ or {})}, **fields}, Report)


HURT = {"damage": [{"name": "enemy Bismarck", "text": "midships 6 seen hit"}]}


@pytest.mark.parametrize(("age", "place"), [(1, "H10"), (2, "J13"), (4, "L16"), (9, "P22")])
def test_a_damaged_bismarck_that_was_lost_is_looked_for_on_her_way_to_france(
    age: int, place: str
) -> None:
    seen = [contact("H10", age=age)]
    (found,) = bot_hunt.tracks(hunting(HURT, contacts=seen), 1)
    assert found.place == place


@pytest.mark.parametrize(("age", "known"), [(3, 1), (4, 0)])
def test_a_whole_one_is_forgotten_when_the_contact_is_old(age: int, known: int) -> None:
    assert len(bot_hunt.tracks(hunting(contacts=[contact("H10", age=age)]), 3)) == known


def test_scouts_take_the_zone_of_a_contact_and_those_around_it() -> None:
    goals = bot_hunt.sightings(hunting(contacts=[contact("N18", trail=[["M17", 2]])]))
    assert len(goals) > 2 and "N18" in goals.values()
    assert len({*goals.values()}) == len(goals)
    assert all(board.distance(zone, "N18") <= 1 for zone in goals.values())


@pytest.mark.parametrize(("level", "sent"), [("4", True), ("5", False)])
def test_bombers_look_for_a_damaged_bismarck_themselves_in_clear_weather(
    level: str, sent: bool
) -> None:
    seen = [contact("M15", age=3)]
    report = hunting({**HURT, "level": level, "fog": False}, contacts=seen, turn=15)
    flown = {str(unit) for unit, order in bot_hunt.bombers(report) if isinstance(order, Fly)}
    assert ("PLYMOUTH BOMBERS" in flown) is sent


@pytest.mark.parametrize(
    ("carriers", "turn", "hits", "keeps_off"),
    [
        ("strike", 15, 6, True),
        ("finish", 15, 5, True),
        ("finish", 15, 4, False),
        ("fleet", 15, 6, False),
        ("strike", 13, 6, False),  # 2400: no bomber strikes
    ],
)
def test_ships_keep_off_a_bismarck_that_bombers_may_sink(
    carriers: str, turn: int, hits: int, keeps_off: bool
) -> None:
    plain = Match(SYSTEM, "basic", OPTIONS, "y").report(BRITISH).plain["board"]
    hurt = {"name": "enemy Bismarck", "text": f"midships {hits} seen hit"}
    text = told(
        BRITISH,
        with_plan(BRITISH, carriers=carriers),
        board={**plain, "damage": [hurt]},
        contacts=[contact("O20")],
        turn=turn,
    )
    assert ("BRITISH: attack never;" in text.splitlines()) is keeps_off


def test_9_92_an_admiral_who_leaves_her_to_the_bombers_breaks_off() -> None:
    text = told(BRITISH, with_plan(BRITISH, carriers="finish", battle="every ship"))
    said = [line for line in text.splitlines() if "break off" in line]
    assert said == ["@BRITISH: break off yes;"]
