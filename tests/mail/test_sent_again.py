"""A set that was sent before and arrives again."""

from __future__ import annotations

from tests.mail.office import Office


def test_an_old_set_sent_again_is_told_that_it_does_not_count(office: Office) -> None:
    old, newer = (office.referee.orders("fox", f"FOX: move {at};") for at in ("A2", "B1"))
    for text in (old, newer):
        office.mail("fox", text)
        office.one()

    def said(text: str) -> str:
        office.empty()
        office.mail("fox", text, head=["Received: again"])
        office.one()
        return " ".join(office.bodies("fox").split())

    assert "Note: a later set of yours has taken their place and counts" in said(old)
    assert "Note:" not in said(newer), "it is in force"
    office.referee.play({})
    assert "Note: they were for window 1, which is closed" in said(newer)
