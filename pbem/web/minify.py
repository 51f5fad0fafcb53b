"""Minifies the scripts of pages that travel by mail."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4)
def minified(script: str) -> str:
    """A JavaScript program without comments and needless space, with short local names.

    If the minifier is not installed (it has wheels for most platforms, but not for all), the
    program is returned unchanged; the page then works the same and is about 85 kB larger.

    Raises ValueError if it does not parse as JavaScript.
    """
    try:
        import minify
    except ImportError:
        return script
    try:
        small: str = minify.string("application/javascript", script)
    except minify.MinifyError as error:
        raise ValueError(f"not a valid script: {error}") from None
    return small
