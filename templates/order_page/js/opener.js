// The page without a report. It opens what the referee sent, encrypted or not, and shows what needs no
// orders: receipts, notes and locks.

import { hex, utf8 } from "./bytes.js";
import { button, byId, make, redraw } from "./dom.js";
import { firstNamed } from "./in_force.js";
import { openJoiner, packedBlock } from "./join.js";
import { lengthened, openLetter, requireMeant, requireWhole } from "./letters.js";
import { showNews } from "./news.js";
import { seatOf } from "./role.js";
import { kept, openSender, save, sender, waysOut } from "./send.js";
import { digestOf } from "./sha.js";
import { chainOf, keyDigest, signBare } from "./sshsig.js";
import { ageIdentities, isAgeKey, sshIdentity } from "./unage.js";

const opener = { data: null, show: null, ages: [], waiting: null, known: null };
const memoryOf = (game) => `pbem desk game ${game}`;

// show: called with each report that is opened.
export function openOpener(data, show) {
  Object.assign(opener, { data, show });
  byId("opener").hidden = false;
  byId("key-here").append(byId("key"));
  sender.told.push(goOn);
  sender.taken = takeAgeKey;
  openSender(data, null);
  openJoiner();
  const file = byId("report");
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    opener.waiting = new Uint8Array(await file.files[0].arrayBuffer());
    file.value = "";
    goOn();
  });
}

// Opens an age key as well as the SSH key, for mail encrypted to it. False if the file is not an age key.
function takeAgeKey(text) {
  if (!isAgeKey(text)) return false;
  opener.ages.push(...ageIdentities(text));
  Object.assign(sender, { waiting: "", said: "", good: "Your age key is open as well." });
  return true;
}

function identities() {
  if (!sender.key) throw Object.assign(new Error(opener.ages.length
    ? "The age key is open. Now open the SSH key that you play with." : "This mail is encrypted. Open your key file, and the mail opens by itself."), { wait: true });
  return [sshIdentity(sender.key), ...opener.ages];
}

// Opens the waiting file as soon as every key that it needs is open.
function goOn() {
  if (!opener.waiting) return;
  let stay = false;
  try {
    const letter = openLetter(opener.waiting, identities);
    requireWhole(letter);
    if (letter.kind === "report") takeReport(letter);
    else takeOther(letter);
    said(null);
  } catch (error) {
    stay = Boolean(error.wait);
    said(make("p", { className: stay ? "good" : "fault" }, error.message, error.code ? ` (${error.code})` : ""));
  }
  if (!stay) opener.waiting = null;
}

const said = (part) => redraw(byId("opener-said"), part);

function takeReport(letter) {
  const { facts: report } = letter, setup = JSON.parse(report.setup.text);
  requireFitting(report, setup);
  requireMeant(letter, report.setup.digest, setup.moderator.sign, sender.key?.wire);
  if (!opener.data.language.languages[report.system]) throw new Error(`This page does not know the system ${report.system}. The moderator's copy of the page may be older than the game.`);
  opener.known = { game: report.game, g0: report.setup.digest, moderator: setup.moderator.sign };
  kept(memoryOf(report.game), JSON.stringify(opener.known));
  showNews(report);
  showLetter(letter);
  if (report.result) throw new Error("This game is over: its last report asks for no orders.");
  byId("opener").classList.add("slim");
  opener.show({ ...lengthened(report), setup: { ...report.setup, keys: setup.keys?.[seatOf(report)] || [], mail: setup.mail } });
}

function requireFitting(report, setup) {
  const fits = hex(digestOf("setup", utf8(report.setup.text))) === report.setup.digest && setup.game === report.game
    && setup.dice === report.dice_mode && setup.moderator.sign === report.moderator.sign;
  if (!fits) throw new Error("This report.json does not match its own set-up. Ask the moderator to send it again.");
}

// A receipt, note or lock, checked with the moderator's key from a report of that game: the open one,
// or one that was opened here before.
function takeOther(letter) {
  const { facts, kind } = letter, known = opener.known || JSON.parse(kept(memoryOf(facts.game)) || "null");
  const first = () => Object.assign(new Error(`This is a ${kind}. Open a report of its game first: the page needs one to check the moderator's signature.`), { wait: true });
  if (known?.game !== facts.game) throw first();
  try {
    requireMeant({ ...letter, encrypted: true }, known.g0, known.moderator, facts.readers && sender.key?.wire);
  } catch (error) {
    throw opener.known ? error : first();
  }
  redraw(byId("shown"), ...OTHERS[kind](facts));
}

const listed = (title, lines) => (lines.length ? [make("h3", { className: "label" }, title), make("ul", { className: "has" }, lines.map((line) => make("li", {}, make("code", {}, line))))] : []);
const RECEIVED = { accepted: "Orders received", partly: "Orders received in part", known: "Orders known already", refused: "Orders refused" };

function receiptParts(r) {
  const whole = r.status === "accepted" || r.status === "known";
  const title = { revealed: "Link revealed", rekeyed: "Key changed" }[r.code] || RECEIVED[r.status];
  return [make("h2", {}, `${title}: ${r.side_name}, window ${r.window}`),
    make("p", { className: whole ? "good" : "mistake" }, r.reason ? `${r.reason} (${r.code}). ${r.hint || ""}` : r.in_force ? "You have a set in force for this window." : "You have no set in force for this window."),
    ...listed("Not understood", r.problems.map((p) => `${p.where}: ${p.text} (${p.code})`)),
    ...listed("Understood as", r.understood.map((u) => u.order + (u.note ? `  [${u.note}]` : ""))),
    ...listed("Without orders", [firstNamed(r.without_orders || []), r.idle].filter(Boolean)), ...listed("Standing orders in force", r.standing || []),
    ...listed("Ordered earlier this turn", r.this_turn || []), ...listed("No longer in force, replaced by this set", r.replaced || [])];
}

const noteParts = (note) => [make("h2", {}, note.subject), make("pre", {}, note.text)];
const OTHERS = { receipt: receiptParts, note: noteParts, lock: lockParts };

function lockParts(lock) {
  const go = button("Reveal my link", async () => {
    try {
      redraw(byId("revealed"), waysOut(await revealed(lock), "", `${lock.game} reveal`, `reveal-${lock.game}-${lock.side}-${lock.window}.txt`));
    } catch (error) {
      redraw(byId("revealed"), make("p", { className: "fault" }, error.message));
    }
  }, { id: "reveal", className: "main" });
  return [make("h2", {}, `Window ${lock.window} is locked`), make("p", {}, lock.own === "NMR" ? "It contains no orders of yours. You need not send a link."
    : "It contains your orders; no more are accepted. The dice wait for your link."), lock.own === "NMR" ? null : make("p", {}, go), make("div", { id: "revealed", role: "status" })];
}

// The answer to a lock, in the form that `pbem reveal` writes.
async function revealed({ game, side, window, setup, lock, anchors, moderator = "" }) {
  const { key, links } = sender;
  if (!key) throw new Error("Open your key first.");
  const mine = (anchors[side] || []).filter((a) => a.key === keyDigest(key.wire) && a.from <= window).map((a) => a.anchor);
  const chain = mine.length && chainOf(links, game, side, mine[mine.length - 1], moderator);
  if (!chain) throw new Error("No dice anchor of this key counts in that window: there is nothing to reveal.");
  const link = chain[window], facts = { format: "pbem-reveal/1", game, side, window: String(window), lock, link };
  return packedBlock("REVEAL", facts, await signBare(key.seed, utf8(`${setup} ${window} ${lock} ${link}`), "reveal@pbem"));
}

// What else came with the report, for mail that the mail program does not show: encrypted mail, or report.json alone.
function showLetter({ text, signature, parts, encrypted }) {
  const whole = parts.get("mail.txt");
  const files = encrypted ? make("p", { className: "row" }, button("Save report.json", () => save("report.json", text)), button("Save report.seal", () => save("report.seal", signature))) : null;
  redraw(byId("letter-parts"), whole ? make("details", {}, make("summary", {}, "The whole report, as it was mailed"), make("pre", {}, new TextDecoder().decode(whole))) : null, files);
}
