"""Notifications: what they say, to whom, and that no game waits for a hook that hangs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pbem.admin.commands import schedule
from pbem.base.config import Config, Hook, Secret, read
from pbem.errors import Misprint
from pbem.scheduler import hooks
from pbem.scheduler.hooks import notify
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.referee import Referee

URL = "PBEM_TEST_HOOK"
KEPT = "import sys; open({file!r}, 'a').write(sys.stdin.read() + chr(10)); sys.exit({code})"
HANGS = "import time; time.sleep(600)"


class Room:
    """A chat room: what the hooks told, line by line."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.patch, self.file = patch, folder / "room"
        patch.setenv(URL, "json://room.example.org")
        self.answers(0)

    def answers(self, code: int) -> None:
        """What the process that sends will exit with."""
        program = KEPT.format(file=str(self.file), code=code)
        self.patch.setattr(hooks, "CHILD", (sys.executable, "-S", "-c", program))

    def read(self) -> list[str]:
        """What was told since the last call, a text for each message."""
        if not self.file.exists():
            return []
        lines = self.file.read_text().splitlines()
        self.file.unlink()
        return [json.loads(line)["body"] for line in lines]


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Room:
    return Room(monkeypatch, tmp_path)


def hook(*on: str, side: str = "", name: str = "") -> Config:
    words = on or ("report", "due")
    made = Hook(urls=Secret(env=URL), on=words, side=side, name=name)  # type: ignore[arg-type]
    return Config(notify=(made,))


def deadline(referee: Referee) -> None:
    """A deadline in three days, with a reminder a day before."""
    with writing(referee.home, "g1") as game:
        schedule(game, read_rule(["every=3d", "early=off"]))


def told(referee: Referee, config: Config, room: Room) -> list[str]:
    assert notify(referee.home, config, ["g1"]) == []
    return room.read()


def test_the_first_look_tells_nothing_and_then_reports_are_told_once(
    referee: Referee, room: Room
) -> None:
    config = hook()
    assert told(referee, config, room) == []
    referee.go("fox", "hunter")
    assert told(referee, config, room) == ["g1: the reports of turn 2 are out."]
    assert told(referee, config, room) == []


def test_a_deadline_that_is_near_is_told_once(referee: Referee, room: Room, clock: Clock) -> None:
    deadline(referee)
    config = hook()
    told(referee, config, room)
    clock.advance(hours=47)
    assert told(referee, config, room) == []
    clock.advance(hours=2)
    assert told(referee, config, room) == ["g1: turn 1 closes Mon 23 Nov 12:00 UTC."]
    assert told(referee, config, room) == []


def test_nobody_learns_from_a_hook_who_has_sent_orders(
    referee: Referee, room: Room, clock: Clock
) -> None:
    """Two worlds: in one of them the fox has sent orders. Only his own hook tells them apart."""
    deadline(referee)
    common, own = hook(), hook("report", "due", "move", side="fox", name="den")
    both = Config(notify=(*common.notify, *own.notify))
    worlds = []
    for sent in (False, True):
        clock.set("2026-11-20T13:00:00Z")
        if sent:
            referee.order("fox", referee.suggested("fox"))
        (referee.home / ".pbem" / "hooks.json").unlink(missing_ok=True)
        assert told(referee, both, room) == []
        clock.set("2026-11-22T13:00:00Z")
        worlds.append(told(referee, both, room))
    without, with_orders = (set(world) for world in worlds)
    late = "g1: no complete orders from the Fox side yet; turn 1 closes Mon 23 Nov 12:00 UTC."
    assert without - with_orders == {late}
    assert with_orders <= without


def test_a_hook_of_a_side_says_that_it_is_to_move(referee: Referee, room: Room) -> None:
    config = hook("report", "move", side="fox")
    told(referee, config, room)
    referee.go("fox", "hunter")
    assert told(referee, config, room) == ["g1: turn 2, your move, Fox."]


def test_the_end_is_told_without_its_result(referee: Referee, room: Room) -> None:
    config = hook()
    told(referee, config, room)
    while not referee.register.over:
        referee.go("fox", "hunter")
    assert told(referee, config, room) == ["g1 is over. The last reports are out."]


def test_no_notification_names_a_unit_a_place_or_a_result(referee: Referee, room: Room) -> None:
    config = hook()
    told(referee, config, room)
    said = ""
    while not referee.register.over:
        referee.go("fox", "hunter")
        said += "".join(told(referee, config, room))
    reports = [referee.report(side) for side in ("fox", "hunter")]
    secrets = {unit[key] for report in reports for unit in report["units"] for key in unit}
    assert referee.register.over
    secrets |= {referee.register.over.result, referee.register.over.why}
    assert not [word for word in secrets if str(word) in said]


def test_a_hook_that_fails_is_reported_once_and_tried_again_after_an_hour(
    referee: Referee, room: Room, clock: Clock
) -> None:
    config = hook(name="club room")
    told(referee, config, room)
    room.answers(1)
    referee.go("fox", "hunter")
    (complaint,) = notify(referee.home, config, ["g1"])
    assert complaint.startswith("notifications: club room failed") and "mail" in complaint
    room.read()
    referee.go("fox", "hunter")
    assert told(referee, config, room) == [], "not tried, not reported again"
    clock.advance(hours=2)
    room.answers(0)
    first, second = "g1: the reports of turn 2 are out.", "g1: the reports of turn 3 are out."
    assert told(referee, config, room) == [f"{first}\n{second}"]
    assert told(referee, config, room) == []


def test_what_is_a_day_old_is_dropped(referee: Referee, room: Room, clock: Clock) -> None:
    config = hook()
    told(referee, config, room)
    room.answers(1)
    referee.go("fox", "hunter")
    assert notify(referee.home, config, ["g1"])
    room.read()
    room.answers(0)
    clock.advance(days=2)
    assert told(referee, config, room) == []


def test_a_hook_that_hangs_is_ended_after_the_mails_have_left(
    referee: Referee, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = referee.home
    text = 'address = "games@example.org"\n[delivery]\nkind = "files"\n[limits]\nnotify = 0.05\n'
    (home / "pbem.toml").write_text(text + f'[[notify]]\nurls = {{ env = "{URL}" }}\n')
    assert pbem("--home", home, "tick").code == 0
    monkeypatch.setattr(hooks, "CHILD", (sys.executable, "-S", "-c", HANGS))
    referee.order("fox", referee.suggested("fox"))
    referee.order("hunter", referee.suggested("hunter"))
    said = pbem("--home", home, "tick")
    assert said.code == 0 and "1 window closed" in said.out
    assert not referee.register.mail_state.unsent
    assert "notifications: hook 1 failed: no answer within 0.05 seconds" in said.err


def test_many_games_are_one_message_of_bounded_length(
    referee: Referee, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = hook()
    told(referee, config, room)
    monkeypatch.setattr(hooks, "LINES", 1)
    memory, _ = hooks._memory(referee.home / ".pbem" / "hooks.json")
    waiting = memory.waiting.setdefault("hook 1", hooks.Waiting())
    waiting.lines = [("2026-11-20T12:00:00Z", f"g{n}") for n in range(40)]
    assert list(hooks._send(referee.home, config, memory)) == []
    assert room.read() == ["g0\n... and 39 more"]


def test_a_home_without_hooks_keeps_nothing(referee: Referee) -> None:
    assert notify(referee.home, Config(), ["g1"]) == []
    assert not (referee.home / ".pbem" / "hooks.json").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[notify]]\nurls = { env = "A", file = "b" }\n', "must name exactly one place"),
        (
            '[[notify]]\nurls = { env = "A" }\non = ["move"]\n',
            "without a side tells nobody to move",
        ),
        ('[[notify]]\nurls = { env = "A" }\non = ["sunk"]\n', "sunk"),
        ('[digest]\nat = "7"\n', "digest.at is '7'"),
        ('[digest]\nzone = "Nowhere"\n', "Nowhere"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(text: str, said: str) -> None:
    with pytest.raises(Misprint, match=said):
        read(text, "pbem.toml")


@pytest.fixture
def service() -> Iterator[tuple[str, list[bytes]]]:
    """A service on this machine that takes JSON, and what it got."""
    got: list[bytes] = []

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Taker)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"json://127.0.0.1:{server.server_port}/", got
    server.shutdown()
    server.server_close()


def test_apprise_brings_a_notification_to_a_service(
    referee: Referee, service: tuple[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, got = service
    monkeypatch.setenv(URL, url)
    config = hook()
    notify(referee.home, config, ["g1"])
    referee.go("fox", "hunter")
    assert notify(referee.home, config, ["g1"]) == []
    (message,) = map(json.loads, got)
    assert message["title"] == "Games by mail"
    assert message["message"] == "g1: the reports of turn 2 are out."
