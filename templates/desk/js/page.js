// The page: a report that it holds, or one that the player opens.

import { board, nearer, openBoard, showOverlay } from "./board.js";
import { book, openBook } from "./book.js";
import { fromBase64, hex, utf8 } from "./bytes.js";
import { choose, openComposer } from "./composer.js";
import { button, byId, make, redraw, SVG_SPACE } from "./dom.js";
import { inflate } from "./inflate.js";
import { canonicalJson, openJoiner } from "./join.js";
import { speaker } from "./language.js";
import { openLists } from "./lists.js";
import { kept, openSender } from "./send.js";
import { digestOf } from "./sha.js";

const D = JSON.parse(new TextDecoder().decode(inflate(fromBase64(byId("data").textContent), Number(byId("data").dataset.size))));
const REPORT_FORMAT = "pbem-report/1";
const draftOf = (report) => `pbem desk draft ${report.digest}`;

function openReport(report) {
  const talk = speaker(D.language, report);
  const form = (report.suggest || []).map((line) => line.trim());
  showHead(report);
  byId("opener").hidden = true;
  byId("signing").before(byId("key"));
  byId("desk").hidden = false;
  openBook(talk, form, kept(draftOf(report)) || form.map((line) => `${line}\n`).join(""));
  openChart(report);
  openComposer(report);
  openLists(report);
  openSender(D, report);
  book.told.push(() => kept(draftOf(report), book.text), () => board.facts && showOverlay());
}

function showHead(report) {
  const due = report.deadline ? new Date(report.deadline) : null;
  const when = due && due.toLocaleString(undefined, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
  byId("over").textContent = `${D.titles[report.system] || report.system} · game ${report.game} · window ${report.window}`;
  byId("head").textContent = `${report.side_name || report.side}: orders`;
  byId("due").textContent = [report.label, when ? `due ${when}` : "no deadline set"].filter(Boolean).join(" · ");
  document.title = `${report.game}: orders of ${report.side_name || report.side}, window ${report.window}`;
}

function openChart(report) {
  const facts = D.boards[report.system], space = `xmlns="${SVG_SPACE}" xmlns:xlink="http://www.w3.org/1999/xlink"`;
  byId("chart").hidden = !facts;
  if (!facts) return;
  const drawn = new DOMParser().parseFromString(`<svg ${space}>${D.drawn[report.system]}</svg>`, "image/svg+xml");
  byId("ground").replaceChildren(...document.adoptNode(drawn.documentElement).childNodes);
  openBoard(facts, report, tapped);
  byId("in").addEventListener("click", () => nearer(1.5));
  byId("out").addEventListener("click", () => nearer(1 / 1.5));
}

// What a tap on the chart means while no zone is being picked.
function tapped(units, contacts, cell) {
  const open = units.filter((u) => book.speaker.menu[u.id]);
  if (open.length === 1) choose(open[0].id);
  else if (open.length) choose("");
  const known = contacts.map((c) => `${c.id} ${c.type || ""}`.trim()).join(", ");
  byId("hint").textContent = open.length > 1 ? `In ${cell}: who?` : open.length ? byId("hint").textContent
    : [cell && `Zone ${cell}`, known].filter(Boolean).join(": ");
  redraw(byId("pickers"), open.length > 1 ? open.map((u) => button(u.id, () => choose(u.id), { id: `here-${u.id}` })) : []);
}

// The report in a file of the player's own, if it is whole. Throws Error with what is wrong.
function reportIn(text) {
  let report = null;
  try {
    report = JSON.parse(text);
  } catch { /* said below */ }
  if (report?.format !== REPORT_FORMAT) throw new Error("This is no report.json. Save the attachment of the report's mail and open that.");
  const { digest, ...rest } = report, said = text.trim().replace(`"digest":"${digest}",`, "");
  const whole = [said, canonicalJson(rest)].some((plain) => hex(digestOf("report", utf8(plain))) === digest);
  if (!whole) throw new Error("This report.json was altered or cut short: its digest does not fit. Use the attachment as it came.");
  if (!D.language.languages[report.system]) throw new Error(`This page does not know the system ${report.system}. The moderator's copy of the page may be older than the game.`);
  if (report.result) throw new Error("This game is over: its last report asks for no orders.");
  const { keys, mail } = JSON.parse(report.setup.text);
  return { ...report, setup: { ...report.setup, keys: keys?.[report.side] || [], mail } };
}

function openOpener() {
  byId("opener").hidden = false;
  byId("key-here").append(byId("key"));
  openSender(D, null);
  openJoiner();
  const file = byId("report");
  file.addEventListener("change", async () => {
    try {
      openReport(reportIn(await file.files[0].text()));
    } catch (error) {
      redraw(byId("opener-said"), make("p", { className: "fault" }, error.message));
    }
  });
}

if (D.report) openReport({ ...D.report, ...JSON.parse(byId("known").textContent) });
else openOpener();
