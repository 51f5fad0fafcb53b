"""The JavaScript that a system's checks become, or each line that is outside the subset.

.venv/bin/python -m tools.translate far_seas
"""

from __future__ import annotations

import sys

import games
from pbem.translate.program import NotTranslatable, translate

if __name__ == "__main__":
    try:
        print(translate(games.load(sys.argv[1]), {}).code, end="")
    except NotTranslatable as no:
        sys.exit(str(no))
