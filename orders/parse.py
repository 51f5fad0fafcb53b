"""From tokens to orders, by the game's verb table and the sender's own report.

One bad order never spoils the others: reading goes on at the next `;` or the next actor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import UNSET, Struct

from orders.arguments import read_action, read_value
from orders.canon import Token, Unit, line_tokens
from orders.cursor import Cursor, Mistake, near
from orders.header import read_header
from orders.heads import Head, astray, heads, misspelt, unknown_actor
from orders.model import Action, Condition, Order, OrderSet, Value
from orders.readers import also
from orders.reading import Diagnostic, Place, Reading, Said, locate
from orders.report import Report
from orders.verbs import Grammar
from orders.vocabulary import LEADING, PREFERENCES, Language, Phrases, Question, Vocabulary, phrases

__all__ = ["Line", "Reading", "Vocabulary", "read_line", "understand"]

_DAY = r"20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_MOST_MISTAKES = 100
_MOST_ORDERS = 20_000
_COUNT = r"0*([1-9][0-9]?)"
"""How many turns a side agrees to run, or of how many windows it gives the links: 1 to 99."""
PREFER = "PREFER"
_COUNTED = {"RUN": "turns", "LINKS": "windows"}
"""Leading words with a number: what it counts."""


class _Sheet(Struct):
    """What has been understood so far."""

    cursor: Cursor
    orders: list[Order] = []
    places: list[Place] = []
    answers: dict[str, Value] = {}
    cleared: list[str] = []
    words: dict[str, str] = {}
    mistakes: list[Mistake] = []


def understand(unit: Unit, grammar: Grammar, vocabulary: Vocabulary) -> Reading:
    """Read one unit of mail. Never raises for what a player wrote.

    A unit without a canonical form has refusals and no orders; `grammar` must be the one that
    `vocabulary` was made with.
    """
    if unit.faults:
        return Reading(unit, refusals=tuple(locate(unit, f) for f in unit.faults[:_MOST_MISTAKES]))
    header, body, faults = read_header(unit.tokens)
    sheet = _read_body(unit.text, unit.tokens, vocabulary, body, len(unit.tokens) - 2)
    return Reading(
        unit=unit,
        header=header,
        orders=OrderSet(tuple(sheet.orders), sheet.answers, tuple(sheet.cleared), sheet.words),
        places=tuple(sheet.places),
        declared=tuple(sheet.cursor.declared),
        refusals=tuple(locate(unit, f) for f in faults),
        diagnostics=_located(unit, sheet),
        body=body,
        once={verb.name: verb.once for verb in grammar.verbs if verb.once},
    )


class Line(Struct, frozen=True, eq=False):
    """The orders on a line that is read by itself, and where each stands."""

    orders: tuple[Order, ...]
    places: tuple[Place, ...]


@lru_cache(maxsize=1024)
def read_line(text: str, language: Language, *names: Phrases) -> Line | None:
    """Read a line of orders, without BEGIN and END; None if anything in it is a mistake. names: of
    actors, units and contacts, as in a vocabulary.

    For those who tell nobody what is wrong: finding the words for it takes longer than reading.
    Cached, because the same examples are tried in every window, and for every game.
    """
    tokens = line_tokens(text)
    actors, units, contacts = names
    known = Vocabulary(language, actors, units, phrases(), contacts, {}, Report())
    sheet = _read_body(text, tokens or (), known, 0, len(tokens or ()))
    if tokens is None or sheet.mistakes:
        return None
    return Line(tuple(sheet.orders), tuple(sheet.places))


def _located(unit: Unit, sheet: _Sheet) -> tuple[Diagnostic, ...]:
    """The mistakes in the order of the text; a hopeless text is not listed to its end."""
    first = sorted(sheet.mistakes, key=lambda m: m.start)[:_MOST_MISTAKES]
    return tuple(locate(unit, sheet.cursor.fault(m)) for m in first)


def _read_body(
    text: str, tokens: Sequence[Token], vocabulary: Vocabulary, body: int, end: int
) -> _Sheet:
    """All orders in tokens[body:end]."""
    sheet = _Sheet(Cursor(text, tokens, [t.text for t in tokens], vocabulary))
    found = heads(sheet.cursor, body, end)
    stops = [h.start for h in found] + [end]
    for low, high in _pieces(sheet.cursor, body, stops[0]):
        _guard(sheet, _word, low, high)
    for head, stop in zip(found, stops[1:], strict=True):
        _section(sheet, head, stop)
    return sheet


def _pieces(cursor: Cursor, low: int, high: int) -> list[tuple[int, int]]:
    """tokens[low:high] cut at each `;`, empty pieces left out."""
    pieces = []
    for i, text in enumerate(cursor.texts[low:high], low):
        if text == ";":
            if low < i:
                pieces.append((low, i))
            low = i + 1
    return [*pieces, (low, high)] if low < high else pieces


def _guard(sheet: _Sheet, read: Callable[..., None], *args: object) -> None:
    """Run one reader; a mistake refuses that order (and the names it gave) and no other."""
    names = sheet.cursor.declared
    known = len(names)
    try:
        read(sheet, *args)
    except Mistake as mistake:
        del names[known:]
        # its frames hold the sheet, and with it all that was read: a cycle that only the garbage
        # collector would free, which took a sixth of the time of a game
        sheet.mistakes.append(mistake.with_traceback(None))


def _section(sheet: _Sheet, head: Head, stop: int) -> None:
    """All orders under one head."""
    cursor = sheet.cursor
    actors = [name for name, _, _ in head.names]
    if head.kind == "unknown" and actors[0] not in sheet.cursor.declared:
        sheet.mistakes.append(unknown_actor(cursor, head))
        return
    if head.fault:
        sheet.mistakes.append(head.fault)
        return
    pieces = _pieces(cursor, head.colon + 1, stop)
    if not pieces:
        text = f"{cursor.said(head.start, head.colon)} has no order after the colon"
        sheet.mistakes.append(Mistake("missing-verb", text, head.start, head.colon + 1))
    if head.kind == "question":
        _guard(sheet, _answer, head, pieces)
        return
    for low, high in pieces:
        _guard(sheet, _order, head, low, high)


def _word(sheet: _Sheet, low: int, high: int) -> None:
    """FINAL, ABSENT UNTIL, RESIGN, CONSENT, RUN, LINKS, PREFER: the words before the first actor.
    PREFER may come again, with more."""
    cursor = sheet.cursor
    word = cursor.texts[low]
    if word not in LEADING:
        if unit := astray(cursor, low, high):
            raise unit
        known = cursor.vocabulary.language.verbs.match(cursor.texts, low, high)
        text = f"{cursor.said(low, low + 1)} comes before any unit"
        menu = list(cursor.vocabulary.menu)
        begin = f"begin with a unit and a colon, for example '{menu[0] if menu else 'TF1'}:'"
        raise Mistake(
            "no-actor",
            text,
            low,
            low + 1,
            lambda: ("" if known else misspelt(cursor, low, high) or near(word, LEADING)) or begin,
        )
    said = sheet.words.get(word)
    if said is not None and word != PREFER:
        raise Mistake("twice", f"{word} appears twice", low, high)
    rest = _rest(cursor, word, low + 1, high)
    sheet.words[word] = rest if said is None else f"{said} {rest}"


def _rest(cursor: Cursor, word: str, low: int, high: int) -> str:
    """What a leading word is about: a day for ABSENT, words for CONSENT, a number for RUN and
    LINKS, preferences with their values for PREFER, else nothing."""
    texts = list(cursor.texts[low:high])
    if word == "ABSENT":
        day = "".join(texts[1:])
        if texts[:1] != ["UNTIL"] or not _is_day(day):
            text = "ABSENT needs the day of your return"
            raise Mistake("bad-date", text, low - 1, high, "write ABSENT UNTIL YYYY-MM-DD;")
        return day
    if word in _COUNTED:
        number = re.fullmatch(_COUNT, "".join(texts)) if len(texts) == 1 else None
        if number is None:
            text = f"{word} needs a number of {_COUNTED[word]}, 1 to 99"
            raise Mistake(f"bad-{word.lower()}", text, low - 1, high, f"write {word} 3;")
        return number[1]
    if word == PREFER and not _prefers(texts):
        text = "PREFER needs what you prefer, and how"
        listed = ", ".join(PREFERENCES).lower()
        hint = f"write PREFER dates iso; you may name {listed}"
        raise Mistake("bad-preference", text, low - 1, high, hint)
    if texts and word not in ("CONSENT", PREFER):
        said = cursor.said(low, high)
        raise Mistake("extra-words", f"{word} does not take {said}", low, high, "put ';' behind it")
    return " ".join(texts)


def _prefers(texts: list[str]) -> bool:
    """Whether words are preferences, each with a value behind it."""
    named = [text in PREFERENCES for text in texts]
    doubled = any(one and after for one, after in pairwise(named))
    return bool(named) and named[0] and not named[-1] and not doubled


def _is_day(text: str) -> bool:
    """A day of the calendar, as 2026-11-24."""
    if not re.fullmatch(_DAY, text):
        return False
    year, month, day = map(int, text.split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= (29 if leap else 28) if month == 2 else day <= 30 + (month + month // 8) % 2


def _answer(sheet: _Sheet, head: Head, pieces: list[tuple[int, int]]) -> None:
    cursor, name = sheet.cursor, head.names[0][0]
    if head.standing or head.turn is not None or name in sheet.answers:
        text = f"{name} takes one answer, without '@' or 'turn'"
        raise Mistake("bad-answer", text, head.start, head.colon)
    if not pieces:
        return
    if len(pieces) > 1:
        raise Mistake(
            "bad-answer",
            f"{name} takes one answer",
            *pieces[1],
            "orders for a unit begin with its name and a colon",
        )
    question = cursor.vocabulary.questions[name]
    low, high = pieces[0]
    if question.form:
        sheet.answers[name] = read_value(cursor, question.form, low, high)
    elif question.choices:
        sheet.answers[name] = _chosen(cursor, question, low, high)
    else:
        sheet.answers[name] = " ".join(cursor.texts[low:high])


def _chosen(cursor: Cursor, question: Question, low: int, high: int) -> str:
    """The listed answer that is all of tokens[low:high]. Raises Mistake."""
    known = cursor.named(question.phrases, low, high)
    if known and known[1] == high:
        return known[0]
    said = cursor.said(low, high)
    listed = f"answers: {', '.join(question.choices)}"
    text = f"{said} is not an answer to {question.id}"
    raise Mistake("bad-answer", text, low, high, lambda: near(said, question.choices) or listed)


def _order(sheet: _Sheet, head: Head, low: int, high: int) -> None:
    """One order, for each actor of its head."""
    cursor = sheet.cursor
    if cursor.texts[low] == "NONE":
        _clear(sheet, head, low, high)
        return
    if len(sheet.orders) + len(head.names) > _MOST_ORDERS:
        text = f"a set can have at most {_MOST_ORDERS} orders"
        raise Mistake("too-many-orders", text, low, high)
    trigger, start = _trigger(cursor, low, high)
    when, parts = _parts(cursor, start, high)
    said: list[Said] = []
    then, *other = [_branch(cursor, head, part, said) for part in parts]
    otherwise = other[0] if other else ()
    scope = head.standing, head.turn, trigger or UNSET
    for name, start, stop in head.names:
        sheet.orders.append(Order(name, then, when, otherwise, *scope))
        sheet.places.append(Place(cursor.span(low, high), cursor.span(start, stop), tuple(said)))


def _branch(
    cursor: Cursor, head: Head, part: tuple[int, int], said: list[Said]
) -> tuple[Action, ...]:
    """The actions of one branch; where they stand is added to `said`."""
    actions = []
    for low, high in _joined(cursor, *part):
        action, where, fresh = read_action(cursor, head.names[0][0], low, high)
        actions.append(action)
        said.append(where)
        cursor.declared.extend(fresh)
    return tuple(actions)


def _clear(sheet: _Sheet, head: Head, low: int, high: int) -> None:
    if not head.standing or high > low + 1:
        raise Mistake(
            "bad-none",
            "'none' is only valid alone, after '@' and a unit",
            low,
            high,
            f"write @{head.names[0][0]}: none;",
        )
    named = dict.fromkeys(name for name, _, _ in head.names)
    sheet.cleared += [name for name in named if name not in sheet.cleared]


def _trigger(cursor: Cursor, low: int, high: int) -> tuple[str, int]:
    """The trigger of `when TRIGGER then ...`, empty without one, and where the rest begins: the
    actions, or the `if` of `when TRIGGER if ...`."""
    if cursor.texts[low] != "WHEN" or not cursor.vocabulary.language.grammar.triggers:
        return "", low
    from orders.when import read_trigger

    trigger, behind = read_trigger(cursor, low, high)
    following = cursor.texts[behind] if behind < high else ""
    if following not in ("THEN", "IF"):
        raise Mistake(
            "missing-then",
            "this 'when' has no 'then'",
            low,
            behind,
            f"write: when {trigger} then ...",
        )
    return trigger, behind + (following == "THEN")


def _parts(cursor: Cursor, low: int, high: int) -> tuple[Condition | None, list[tuple[int, int]]]:
    """The condition, and the tokens of its one or two branches."""
    if cursor.texts[low] != "IF":
        stray = _find(cursor, "ELSE", low, high) or _find(cursor, "THEN", low, high)
        if stray:
            text = f"{cursor.said(stray, stray + 1)} needs an 'if' before it"
            usual = "write: if ... then ... else ..."
            raise Mistake("missing-if", text, stray, stray + 1, also(cursor, stray) or usual)
        return None, [(low, high)]
    from orders.when import read_condition

    nested = _find(cursor, "IF", low + 1, high)
    if nested:
        raise Mistake(
            "nested-if",
            "an 'if' cannot contain another 'if'",
            nested,
            nested + 1,
            "write two orders, each with its own condition",
        )
    then = _find(cursor, "THEN", low + 1, high)
    if not then:
        raise Mistake(
            "missing-then",
            "this 'if' has no 'then'",
            low,
            low + 1,
            "write: if ... then ... else ...",
        )
    when = read_condition(cursor, low + 1, then)
    other = _find(cursor, "ELSE", then + 1, high)
    if not other:
        return when, [(then + 1, high)]
    return when, [(then + 1, other), (other + 1, high)]


def _joined(cursor: Cursor, low: int, high: int) -> list[tuple[int, int]]:
    """tokens[low:high] cut at each `also`."""
    parts = []
    while cut := _find(cursor, "ALSO", low, high):
        parts.append((low, cut))
        low = cut + 1
    return [*parts, (low, high)]


def _find(cursor: Cursor, word: str, low: int, high: int) -> int:
    """Where `word` stands outside quotes, 0 if nowhere."""
    if word not in cursor.texts[low:high]:
        return 0
    quoted = False
    for i in range(low, high):
        text = cursor.texts[i]
        if text == '"':
            quoted = not quoted
        elif text == word and not quoted:
            return i
    return 0
