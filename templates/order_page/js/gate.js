// Predicts what the referee will say of a header, as far as the answered report shows
// (pbem/inbound/authenticate.py): the game, set-up, side, moderator, window and report that it names.

// Each mismatch in `header` as {code, text, hint}, in the referee's order; empty if it answers this
// report. A report cannot show what others have sent since, or whose key signs.
export function misfits(header, report) {
  const own = "copy the header from your own report", newest = "answer your newest report";
  const { window } = report;
  return [
    [header.game !== report.game, "wrong-game",
      `this is game ${report.game}, the orders are for ${header.game}`, "send them to that game"],
    [header.setup !== report.setup.digest, "wrong-setup", "the set-up digest is not this game's",
      `${own} of this game`],
    [header.side !== report.side, "wrong-side",
      `the report is for ${report.side}, the orders say ${header.side}`,
      "use the form of your own report"],
    [!alikeFromTheStart(report.moderator.key, header.moderator), "wrong-moderator",
      "the moderator's key is not this game's", own],
    [header.window < window - 1, "old-window",
      `window ${header.window} is no longer open; ${window} is`, newest],
    [header.window === window - 1, "late", `window ${header.window} has closed; ${window} is open`,
      newest],
    [header.window > window, "wrong-window", `window ${header.window} is not open; ${window} is`,
      newest],
    [header.window === window && header.report !== report.digest, "wrong-report",
      "the digest is not that of your report of this window", "copy the header from that report"],
    [report.dice_mode === "strict" && header.link !== "none", "bad-link",
      "in this game links are revealed after the lock",
      "write `link: none` in the header, as `pbem sign` does"],
  ].filter(([wrong]) => wrong).map(([, code, text, hint]) => ({ code, text, hint }));
}

// Both digests may be abbreviated, to different lengths.
function alikeFromTheStart(a, b) {
  return a.startsWith(b) || b.startsWith(a);
}
