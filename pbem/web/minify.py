"""Smaller scripts for pages that travel by mail."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4)
def minified(script: str) -> str:
    """The script without comments and spare space, its local names shortened.

    Where the minifier is not installed (it has wheels for most platforms, not for all) the script
    stays as it is: the page then works the same and is about 85 kB larger. Raises ValueError for
    what is not a script.
    """
    try:
        import minify
    except ImportError:
        return script
    try:
        small: str = minify.string("application/javascript", script)
    except minify.MinifyError as error:
        raise ValueError(f"not a script: {error}") from None
    return small
