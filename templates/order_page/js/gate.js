// What the referee's gate will say of a header, as far as the report answered tells (pbem/inbound/authenticate.py):
// which game, set-up, side, moderator, window and report it names.

// Each misfit of `header` as {code, text, hint}, the one that the referee names first; none where
// it answers this report. What others sent since, and whose key signs, a report cannot say.
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
      `window ${header.window} is open no more; ${window} is`, newest],
    [header.window === window - 1, "late", `window ${header.window} has closed; ${window} is open`,
      newest],
    [header.window > window, "wrong-window", `window ${header.window} is not open; ${window} is`,
      newest],
    [header.window === window && header.report !== report.digest, "wrong-report",
      "the digest is not that of your report of this window", "copy the header from that report"],
    [report.dice_mode === "strict" && header.link !== "none", "bad-link",
      "in this game links are revealed after the lock", "the header says `link: none`"],
  ].filter(([wrong]) => wrong).map(([, code, text, hint]) => ({ code, text, hint }));
}

// Digests may be cut short, each at another place.
function alikeFromTheStart(a, b) {
  return a.startsWith(b) || b.startsWith(a);
}
