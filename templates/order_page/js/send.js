// The key, the signature, and the ways to send: mail, file, clipboard. Nothing here uses the network.

import { encryptedFile } from "./age.js";
import { book } from "./book.js";
import { sameBytes, utf8 } from "./bytes.js";
import { block, canonical, sequence } from "./language.js";
import { signatureText } from "./canon.js";
import { button, byId, make, named, redraw } from "./dom.js";
import { seatOf } from "./role.js";
import { chainFields, keyDigest, knowsEd25519, purseOf, signBare } from "./sshsig.js";
import { fingerprint, publicLine, readKey, wireOf, writeKey } from "./sshkey.js";
import { publicOf } from "./ed25519.js";
import { forgetKey, hasVault, recallKeys, rememberKey } from "./vault.js";

const MOST_LINK = 1900, LEAST_PASS = 8, KEPT_KEY = "pbem desk key";
export const sender = { data: null, report: null, key: null, remembered: false, stored: [], links: null, waiting: "", making: false, made: "", said: "", signed: null, last: 0, wanted: "", told: [], taken: null, good: "" };

// report: null on a page that has none yet; the key can be opened or made without one.
export function openSender(data, report) {
  Object.assign(sender, { data, report, signed: null, last: 0, wanted: "" });
  if (report) book.told.push(bookChanged);
  showKey();
  if (report) showSigning();
  takeRemembered();
}

// Opens the key that this device remembers: of several, the one that the game knows.
async function takeRemembered() {
  sender.stored = await recallKeys();
  const mine = sender.report ? registered() : [];
  const key = sender.stored.find(({ wire }) => !mine.length || mine.includes(keyDigest(wire)));
  if ((sender.key && !sender.remembered) || sender.waiting || sender.making) return;
  if (key) takeKey(key);
  else if (sender.stored.length) showKey();
}

function takeKey(key) {
  Object.assign(sender, { key: { ...key, file: "" }, links: purseOf(key.seed), remembered: true, said: "" });
  showKey();
  if (sender.report) showSigning();
  sender.told.forEach((tell) => tell());
}

// What this seat ordered in the window before that of the report: as the report has it; without it, what was signed here.
const lastOf = (report) => `pbem desk last ${report.game} ${seatOf(report)}`;
export function orderedBefore(report) {
  if (report.ordered) return report.ordered;
  const [window, ...lines] = kept(lastOf(report)).split("\n");
  return Number(window) === report.window - 1 ? lines.filter((line) => /^[^@]+:/.test(line) && !line.startsWith("turn ")) : [];
}

// Storage is a convenience; a browser may refuse it.
export function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name) || "";
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch { /* the page works without storage */ }
  return "";
}

// Saves a text as a file on the player's device.
export function save(name, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

const chance = (n) => crypto.getRandomValues(new Uint8Array(n));
const told = (text) => { sender.said = text; };
const progress = async (share) => {
  const shown = byId("progress");
  if (shown) shown.value = share;
  await new Promise((done) => { requestAnimationFrame(done); });
};

// The key.

export function showKey() {
  const { key, waiting, making } = sender;
  const parts = key ? keyParts(key) : making ? makeParts() : waiting ? passParts() : openParts();
  redraw(byId("key"), parts, sender.good ? make("p", { className: "good" }, sender.good) : null, sender.said ? make("p", { className: "fault", role: "alert" }, sender.said) : null);
}

function openParts() {
  const file = make("input", { type: "file", id: "key-file", onchange: () => file.files[0]?.text().then(unlock) });
  const stored = kept(KEPT_KEY);
  const intro = sender.made ? [make("p", { className: "good" }, make("b", {}, "Your key has been made and saved. "),
    "Now open the saved file with its passphrase, to check both. Keep the file: it is your seat in the game."), publicParts(sender.made)]
    : [make("p", {}, "Only orders that your key has signed count. Open your key file; it stays on your device.")];
  return [...intro, make("div", { className: "row" }, make("label", { className: "file", htmlFor: "key-file" }, "Open your key file", file),
    stored ? button("Open the key stored here", () => unlock(stored)) : null,
    stored ? button("Forget it", () => { kept(KEPT_KEY, ""); showKey(); }) : null,
    sender.stored.map((one) => button(`Use the remembered key ${one.comment}`, () => takeKey(one))),
    button("Make a new key", () => { Object.assign(sender, { making: true, said: "" }); showKey(); }, { id: "make" }))];
}

function publicParts(line) {
  return make("div", { className: "field" }, make("p", { className: "label" }, "Its public key, for the moderator"),
    make("code", { className: "public" }, line), make("div", { className: "row" }, button("Copy it", () => copy(line)),
      button("Save it", () => save("order-page.key.pub", `${line}\n`))));
}

function passParts() {
  const pass = make("input", { type: "password", id: "pass", autocomplete: "off" });
  const go = () => unlock(sender.waiting, pass.value);
  pass.addEventListener("keydown", (e) => { if (e.key === "Enter") go(); });
  return [named("Passphrase of the key file", pass), make("progress", { id: "progress", max: 1, value: 0, "aria-label": "Opening the key" }),
    make("div", { className: "row" }, button("Open the key", go, { id: "unlock", className: "main" }), button("Another key", () => leaveKey("")))];
}

export async function unlock(text, pass = "") {
  try {
    if (sender.taken?.(text)) return showKey();
    const key = await readKey(text, pass, progress);
    Object.assign(sender, { key, links: purseOf(key.seed), waiting: "", said: "", made: "" });
    key.file = key.locked ? text : "";
  } catch (error) {
    if (!error.code) throw error;
    const wanted = ["locked", "passphrase"].includes(error.code);
    Object.assign(sender, { waiting: wanted ? text : "", said: error.code === "locked" ? "" : [error.message, error.hint].filter(Boolean).join(" ") });
  }
  showKey();
  if (sender.report) showSigning();
  return sender.told.forEach((tell) => tell());
}

function leaveKey(said) {
  Object.assign(sender, { remembered: false, key: null, links: null, waiting: "", making: false, signed: null });
  told(said);
  showKey();
  if (sender.report) showSigning();
}

function makeParts() {
  const name = make("input", { type: "text", id: "key-name", autocomplete: "off", maxLength: 60, value: "order page" });
  const [first, again] = ["first", "again"].map((id) => make("input", { type: "password", id: `pass-${id}`, autocomplete: "new-password" }));
  const go = () => makeKey(name.value.trim(), first.value, again.value);
  return [make("p", {}, "This page makes the key and saves it as a file that only its passphrase opens. If you lose either, the key is lost. To use it with ssh or ssh-keygen: ", make("code", {}, "chmod 600 order-page.key"), "."),
    named("Name of the key", name), named(`Passphrase, at least ${LEAST_PASS} characters`, first), named("Repeat the passphrase", again),
    make("progress", { id: "progress", max: 1, value: 0, "aria-label": "Encrypting the key" }),
    make("div", { className: "row" }, button("Make and save the key", go, { id: "make-key", className: "main" }), button("Back", () => leaveKey("")))];
}

async function makeKey(name, first, again) {
  const short = first.length < LEAST_PASS;
  if (short || first !== again) {
    told(short ? `The passphrase has fewer than ${LEAST_PASS} characters.` : "The two passphrases differ.");
    const typed = [name, first, again];
    showKey();
    ["key-name", "pass-first", "pass-again"].forEach((id, i) => { byId(id).value = typed[i]; });
    return;
  }
  const seed = chance(32), file = await writeKey(seed, name, first, chance, progress);
  save("order-page.key", file);
  sender.made = publicLine(wireOf(publicOf(seed)), name);
  leaveKey("");
}

function keyParts(key) {
  const lines = sender.report ? registered() : [];
  const strange = lines.length && !lines.some((wire) => sameBytes(utf8(wire), utf8(keyDigest(key.wire))));
  const remember = hasVault() ? make("input", { type: "checkbox", id: "remember", checked: sender.remembered, onchange: () => rememberIt(remember.checked) }) : null;
  const keep = key.file && !sender.remembered ? make("input", { type: "checkbox", id: "keep", checked: kept(KEPT_KEY) === key.file,
    onchange: () => kept(KEPT_KEY, keep.checked ? key.file : "") }) : null;
  return [make("p", {}, make("b", {}, sender.remembered ? "Key open, remembered here: " : "Key open: "), key.comment || "unnamed"), make("p", {}, make("code", {}, fingerprint(key.wire))),
    strange ? make("p", { className: "fault" }, "The game's set-up does not name this key for your side. If the moderator registered it later, all is well; if not, open another key.") : null,
    strange || !sender.report ? publicParts(publicLine(key.wire, key.comment)) : null,
    remember ? make("p", {}, make("label", { htmlFor: "remember", className: "check" }, remember, " Remember the key on this device: whoever uses this browser can then sign for you")) : null,
    keep ? make("p", {}, make("label", { htmlFor: "keep", className: "check" }, keep, " Keep the encrypted file in this browser (the passphrase is never kept)")) : null,
    make("div", { className: "row" }, button("Close the key", () => leaveKey("")),
      sender.remembered ? button("Forget the key", async () => { await rememberIt(false); leaveKey(""); }) : null)];
}

async function rememberIt(wanted) {
  sender.remembered = wanted && await rememberKey(sender.key);
  if (!wanted) await forgetKey(sender.key);
  sender.stored = await recallKeys();
  told(wanted && !sender.remembered ? "This browser cannot remember a key for this page." : "");
  showKey();
}

// Digests of the keys that the set-up text and the anchors name for this side.
function registered() {
  const { setup, anchors, side, role } = sender.report;
  const raw = (line) => Uint8Array.from(atob(line.split(" ")[1]), (c) => c.charCodeAt(0));
  return [...(setup.keys || []).map((line) => keyDigest(raw(line))), ...(role ? [] : (anchors || {})[side] || []).map((a) => a.key)];
}

// Signing.

function bookChanged() {
  sender.signed = null;
  showSigning();
}

export function showSigning() {
  const { reading } = book, { key, signed, report } = sender;
  const wrong = reading.problems.length, many = reading.orders.length;
  const why = wrong ? "Correct or remove the mistakes above; orders with mistakes are not signed." : key ? "" : "Open your key first.";
  const go = button(signed ? "Sign again" : `Sign ${many === 1 ? "1 order" : `${many} orders`}`, sign, { id: "sign", className: signed ? "" : "main", disabled: Boolean(why) });
  const open = key || wrong ? null : button("Open your key to sign", () => {
    byId("send").scrollIntoView();
    byId("key").querySelector("input, button")?.focus({ preventScroll: true });
  }, { id: "to-key", className: "main" });
  redraw(byId("signing"), open, go);
  redraw(byId("number"), make("p", { id: "why", className: "quiet" }, why), why ? null : numberPart());
  redraw(byId("signed"), signed ? signedParts(signed, report) : []);
}

// If orders were refused because of their number, the refusal names one that works.
function numberPart() {
  const field = make("input", { type: "text", id: "seq", autocomplete: "off", value: sender.wanted, onchange: () => {
    const number = numberIn(field.value);
    Object.assign(sender, { wanted: field.value }, number ? { last: number - 1 } : {});
  } });
  return make("details", { open: Boolean(sender.wanted) }, make("summary", {}, "Refused for their number?"),
    named("Enter the number that the refusal names (or paste its text), then sign again", field));
}

function numberIn(text) {
  const found = /--seq\s*(\d{1,15})/.exec(text) || /^\s*(\d{1,15})\s*$/.exec(text);
  return found ? Number(found[1]) : 0;
}

async function sign() {
  const { data, report, key, links, last } = sender, lines = book.reading.lines;
  const { link, anchor, strange } = chainFields(report, key.wire, links, false, book.reading.words);
  const time = numberIn(sender.wanted) ? 0 : sequence(report, Math.floor(Date.now() / 1000));
  const seq = Math.max(time, last + 1, report.seq);
  const text = block(report, lines, { seq, link, anchor }), { bytes } = canonical(data.language, text);
  const signature = await signBare(key.seed, bytes, "orders@pbem");
  sender.last = seq;
  kept(lastOf(report), [report.window, lines.trimEnd()].join("\n"));
  try {
    sender.signed = { text: outgoing(report, text + signatureText(signature)), strange, anchor, own: await knowsEd25519() };
    byId("why").textContent = "";
  } catch (error) {
    byId("why").textContent = `Signed, but not encrypted: ${error.message}. Sign with \`pbem sign\` on a computer.`;
    return;
  }
  showSigning();
  byId("signed").scrollIntoView({ block: "nearest" });
}

// The text to send: in a game of encrypted mail, an age file that the moderator's key opens.
const outgoing = (report, text) => (report.setup.mail === "sealed" ? encryptedFile(report, text) : text);

export const fileName = (report) => `orders-${report.game}-${seatOf(report)}-${report.window}.txt`;
export const subjectOf = (report) => `${report.game} orders for window ${report.window}`;

// A link that opens the mail program with the whole mail; empty if programs would cut it.
export function mailLink(address, subject, text) {
  const body = encodeURIComponent(text.replace(/\r?\n/g, "\r\n"));
  const link = `mailto:${encodeURIComponent(address).replace(/%40/g, "@")}?subject=${encodeURIComponent(subject)}&body=${body}`;
  return link.length <= MOST_LINK ? link : "";
}

function signedParts({ text, strange, anchor, own }, report) {
  const address = report.moderator.mail || "";
  return [make("p", { className: "good" }, make("b", {}, "Signed. "), report.setup.mail === "sealed" ? "It is also encrypted to the moderator. " : "", "Now send it: nothing has left this page yet."),
    waysOut(text, address, subjectOf(report), fileName(report)),
    anchor ? make("p", { className: "quiet" }, "The header announces a dice anchor of your key; links follow once it counts.") : null,
    strange ? make("p", { className: "fault" }, "The report names a dice anchor of a chain that this key does not make; the header announces a new one.") : null,
    own ? null : make("p", { className: "quiet" }, "Your browser does not support Ed25519, so this page signed with its own code; the signature is the same. A newer browser signs by itself."),
    make("details", {}, make("summary", {}, "What is sent"), make("pre", { id: "encrypted" }, text))];
}

// Buttons for sending a text to the moderator.
export function waysOut(text, address, subject, name) {
  const link = mailLink(address, subject, text);
  const mail = link ? make("a", { className: "main", id: "mail", href: link }, "Mail it") : null;
  const to = address ? ` to ${address}` : " to the address that the referee's mail came from";
  const file = new File([text], name, { type: "text/plain" }), asFile = navigator.canShare?.({ files: [file] });
  const parcel = asFile ? { title: subject, files: [file] } : { title: subject, text };
  const share = navigator.share ? button(asFile ? "Share the file" : "Share", () => navigator.share(parcel).catch(() => {}), { id: "share", className: asFile && !link ? "main" : "" }) : null;
  return make("div", {}, make("div", { className: "row" }, mail, button("Save the file", () => save(name, text), { id: "save", className: link ? "" : "main" }),
    button("Copy the text", () => copy(text), { id: "copy" }), share),
    make("p", { className: "quiet" }, link ? `The mail goes${to}. Send it unchanged.`
      : `This is too long for a mail link, which mail programs cut. ${asFile ? "Share the file to your mail program, or save it and" : "Save the file and"} attach it to a mail${to}, or paste the text into one.`));
}

function copy(text) {
  const done = () => { byId("copied").textContent = "Copied."; };
  const field = make("textarea", { value: text });
  const byHand = () => {
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
  else byHand();
}
