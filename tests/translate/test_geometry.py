"""The kit's grids and plane give the same on the order page as with the referee."""

from __future__ import annotations

import json
import random
from typing import Any

from orders.model import Order
from pbem.kit.plane import CIRCLE
from tests.translate import geometry
from tests.translate.test_program import run, translated

SIDE = 100_000


def test_places_are_the_same_in_both_languages(
    run_seed: int,
) -> None:
    luck = random.Random(run_seed)
    sides = (SIDE, SIDE, CIRCLE - 1, SIDE, SIDE, CIRCLE - 1, SIDE // 10)
    report: dict[str, Any] = {
        "cells": [[luck.randint(9, 16) for _ in range(4)] for _ in range(6)],
        "poses": [[luck.randint(0, most) for most in sides] for _ in range(300)]
        + [[edge] * 7 for edge in (0, 1, 720, 1440, 5000)],
    }
    (rows, _), errors = run(translated(geometry), Order("HOOD", ()), report)
    assert errors == ""
    wanted = json.loads(json.dumps(geometry.check(Order("HOOD", ()), report)))
    for got, right in zip(rows, wanted, strict=True):
        assert got == right
