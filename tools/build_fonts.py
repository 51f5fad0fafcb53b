"""Writes templates/fonts: small TrueType subsets of two open fonts for charts, and their widths.

    python tools/build_fonts.py      (needs npm, fonttools and brotli; none is used at run time)

Fetches IBM Plex Sans Condensed and EB Garamond (SIL Open Font Licence) with npm into a temporary
folder. Writes TTF files without hinting, the licences, and metrics.json: the widths of SIGNS, with
which charts measure names without loading a font.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "templates/fonts"
SANS, SERIF = "ibm-plex-sans-condensed", "eb-garamond"
FACES = {  # our file: package, and weight and style in the package
    "sans-400.ttf": (SANS, "400-normal"),
    "sans-600.ttf": (SANS, "600-normal"),
    "sans-700.ttf": (SANS, "700-normal"),
    "serif-500-italic.ttf": (SERIF, "500-italic"),
    "serif-600.ttf": (SERIF, "600-normal"),
}
SIGNS = "".join(map(chr, range(32, 127)))
"""The characters whose widths metrics.json has: printable ASCII."""
TEXT = SIGNS + "".join(map(chr, range(0xA0, 0x100))) + "–—‘’“”·•×°"
"""The characters that the fonts contain: also Latin-1 and some punctuation."""


def fetch(folder: Path) -> Path:
    """The folder of the font packages, fetched with npm into `folder`."""
    names = [f"@fontsource/{name}@5" for name in (SANS, SERIF)]
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *names]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "node_modules/@fontsource"


def cut(source: Path, target: Path) -> TTFont:
    """Write a WOFF2 font as a TTF with only the characters of TEXT, without hinting.

    Time stamps stay as they are, so that every run writes the same bytes. Returns the font.
    """
    font = TTFont(source, recalcTimestamp=False)
    options = Options(hinting=False, layout_features=["kern"], notdef_outline=True)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    subsetter = Subsetter(options)
    subsetter.populate(text=TEXT)
    subsetter.subset(font)
    font.flavor = None
    font.save(target)
    return font


def widths(font: TTFont) -> list[int]:
    """The advance width of each of SIGNS, in thousandths of the font size."""
    names, em = font.getBestCmap(), font["head"].unitsPerEm
    return [round(font["hmtx"][names[ord(sign)]][0] * 1000 / em) for sign in SIGNS]


def main() -> None:
    """Write fonts, licences and widths."""
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        packages = fetch(Path(folder))
        found = {}
        for name, (package, face) in FACES.items():
            source = packages / package / f"files/{package}-latin-{face}.woff2"
            found[name.removesuffix(".ttf")] = widths(cut(source, TARGET / name))
        for package in (SANS, SERIF):
            licence = (packages / package / "LICENSE").read_bytes()
            (TARGET / f"{package}-LICENSE.txt").write_bytes(licence)
    (TARGET / "metrics.json").write_text(json.dumps(found) + "\n", "utf-8")
    total = sum(p.stat().st_size for p in TARGET.glob("*.ttf"))
    print(f"{TARGET}: {total} bytes of fonts", file=sys.stderr)


if __name__ == "__main__":
    main()
