"""Time at the edge: texts to moments and back, and the clock that tests and replays set."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta

import pytest

from pbem.base.clock import is_set, now, parse, stamp, zone
from pbem.errors import Usage

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-20T12:00:00Z",
        "2026-11-20T12:00:00",
        "2026-11-20T14:00+02:00",
        "2026-11-20T06:00:00-06:00",
        "2026-11-20 12:00",
    ],
)
def test_a_time_without_an_offset_is_utc(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    assert parse(text) == NOON
    assert parse(text).utcoffset() == timedelta(0)
    assert stamp(parse(text)) == "2026-11-20T12:00:00Z"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "noon",
        "2026-02-30",
        "12:00",
        "0001-01-01T00:00:00+05:00",  # in UTC it is in the year 0
        "9999-12-31T23:59:59-05:00",
    ],
)
def test_an_invalid_time_is_reported_with_its_source(text: str) -> None:
    with pytest.raises(Usage, match=r"--deadline: .* is not a valid time") as wrong:
        parse(text, "--deadline")
    assert "2026-11-20T12:00:00Z" in wrong.value.hint


def test_a_moment_is_written_in_utc() -> None:
    assert stamp(NOON.astimezone(zone("Asia/Tokyo"))) == "2026-11-20T12:00:00Z"


def test_now_has_whole_seconds_and_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_NOW", raising=False)
    before = datetime.now(UTC).replace(microsecond=0)
    assert before <= now() <= datetime.now(UTC)
    assert now().microsecond == 0
    assert not is_set()
    monkeypatch.setenv("PBEM_NOW", "2026-11-20T12:00:00Z")
    assert now() == NOON
    assert is_set()


def test_an_unknown_zone_is_said() -> None:
    for name in ("Atlantis/Poseidonis", "", "/etc/passwd"):
        with pytest.raises(Usage, match="time zone"):
            zone(name)


def test_where_no_zones_are_installed_utc_is_known_and_the_package_named() -> None:
    before = zoneinfo.TZPATH
    try:
        zoneinfo.reset_tzpath(to=[])
        zoneinfo.ZoneInfo.clear_cache()
        if zoneinfo.available_timezones():
            pytest.skip("Python's own package of time zones is installed")
        assert NOON.astimezone(zone("UTC")) == NOON
        with pytest.raises(Usage, match="time zone") as wrong:
            zone("Europe/Berlin")
        assert "tzdata" in wrong.value.hint
    finally:
        zoneinfo.reset_tzpath(to=before)
