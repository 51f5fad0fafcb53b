"""Prints the JavaScript that a system's checks become, or each line outside the subset:

python -m pbem.translate games.far_seas.check:CHECKS
"""

from __future__ import annotations

import sys

from pbem.translate.program import translated
from pbem.translate.translation import NotTranslatable


def main() -> None:
    """Translate what the first argument names, as `System.checks` does."""
    if len(sys.argv) != 2 or ":" not in sys.argv[1]:
        sys.exit("usage: python -m pbem.translate MODULE:NAME, as the system's `checks` names them")
    try:
        print(translated(sys.argv[1], "SYSTEM", {}).code, end="")
    except NotTranslatable as no:
        sys.exit(str(no))


if __name__ == "__main__":
    main()
