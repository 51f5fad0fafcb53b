"""Mail of a home that has no delivery yet, or leaves it to another program."""

from __future__ import annotations

from tests.cli.commands import pbem
from tests.mail.office import CONFIG, Office
from tests.referee import Referee


def test_what_no_delivery_sends_waits_for_one(referee: Referee) -> None:
    """A tick before there is a pbem.toml leaves the mails, and one afterwards delivers them."""
    for _ in range(2):
        said = pbem("--home", referee.home, "tick")
        assert said.code == 0
    assert referee.register.mail_state.unsent
    listed = pbem("--home", referee.home, "outbox", "g1", "--unsent", "--json").json
    assert [mail["state"] for mail in listed] == ["waits", "waits"]
    office = Office(referee)
    assert office.one().sent == 2
    assert len(office.sent("fox")) == len(office.sent("hunter")) == 1


def test_a_home_without_a_delivery_is_looked_at_once(referee: Referee) -> None:
    first, second = (pbem("--home", referee.home, "tick") for _ in range(2))
    assert "2 left in the outbox" in first.out
    assert "nothing to do" in second.out


def test_mails_that_the_moderator_sent_himself_are_not_sent_again(referee: Referee) -> None:
    pbem("--home", referee.home, "outbox", "g1", "--by-hand")
    assert "waits" not in pbem("--home", referee.home, "outbox", "g1").out
    office = Office(referee)
    assert (office.one().sent, office.sent()) == (0, [])


def test_another_program_may_send_what_is_in_the_outbox(referee: Referee) -> None:
    """With `kind = "files"` a mail has left as soon as it is there."""
    Office(referee, CONFIG.partition("[delivery]")[0] + '[delivery]\nkind = "files"\n').one()
    assert not referee.register.mail_state.unsent
