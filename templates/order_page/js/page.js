// The page: the report that it contains, or one that the player opens.

import { board, enter, home, nearer, openBoard, RIM, showBoard, showOverlay, step } from "./board.js";
import { book, openBook, stepBack, writeLine } from "./book.js";
import { choose, give, openComposer, say, toHeading } from "./composer.js";
import { button, byId, choice, draw, redraw, SVG_SPACE, watchTyping } from "./dom.js";
import { speaker } from "./language.js";
import { openLists } from "./lists.js";
import { showNews } from "./news.js";
import { openOpener } from "./opener.js";
import { inflated } from "./packed.js";
import { decided, lockOf, nextAfter, openPlan } from "./plan.js";
import { openReach, orderTo, titleOf } from "./reach.js";
import { seatOf } from "./role.js";
import { kept, openSender, orderedBefore } from "./send.js";
import { openWishes } from "./wishes.js";

const D = JSON.parse(inflated("data"));
const draftOf = (report) => `pbem desk draft ${report.digest}`;

export function openReport(report) {
  const talk = speaker(D.language, report);
  const form = (report.suggest || []).map((line) => line.trim());
  showHead(report);
  byId("number").before(byId("key"));
  byId("workspace").hidden = false;
  openReach();
  openBook(talk, form, kept(draftOf(report)) || form.map((line) => `${line}\n`).join(""));
  openPlan(report, orderedBefore(report));
  showNews(report);
  openChart(report);
  openComposer(report);
  openLists(report);
  openWishes(report);
  openSender(D, report);
  book.told.push(() => kept(draftOf(report), book.text), () => board.facts && showOverlay());
  watchTyping();
  openKeys();
}

const SINGLE_KEYS = "pbem desk single keys";

// The switch of the keys that are letters: who speaks to a computer is heard as letters, and turns them off.
function openKeys() {
  const single = byId("single");
  single.checked = kept(SINGLE_KEYS) !== "off";
  single.onchange = () => kept(SINGLE_KEYS, single.checked ? "" : "off");
  byId("keys").hidden = false;
  addEventListener("keydown", pressed);
}

// Letters are keys only by the chart and the units, and where nothing has the focus (WCAG 2.1.4).
const single = (e) => byId("single").checked && (e.target === document.body || e.target.closest("#work, #bar"));

// Keys for those who have a keyboard; in a field they are letters.
function pressed(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || ["INPUT", "TEXTAREA", "SELECT"].includes(e.target.tagName)) return;
  const key = e.key.toLowerCase(), [dx, dy] = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1] }[key] || [];
  const acts = { n: () => choose(nextAfter(board.chosen)), u: stepBack, escape: () => choose("") };
  if (e.target === board.map && board.facts && (dx !== undefined || (key === "enter" && board.cursor))) {
    e.preventDefault();
    if (dx !== undefined && board.plot?.key(dx, dy, e.shiftKey)) return;
    if (dx === undefined) enter(board.cursor);
    else sayCell(step(dx, dy));
  } else if (acts[key] && (key === "escape" || single(e))) {
    acts[key]();
    if (e.target !== board.map) toHeading();
  }
}

function sayCell(cell) {
  const spots = board.spots.filter((s) => s.at && nearBy(s.at, board.facts.cells[cell]));
  const here = spots.flatMap((s) => s.items).map((one) => one.name || one.id);
  say([titleOf(cell), board.reach.has(cell) && "in reach", ...here].filter(Boolean).join(", "));
}

const nearBy = ([x, y], [u, v]) => Math.hypot(x - u, y - v) < board.facts.pitch * 0.4;

function showHead(report) {
  const due = report.deadline ? new Date(report.deadline) : null;
  const when = due && due.toLocaleString(undefined, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
  byId("over").textContent = [report.label, `game ${report.game}, window ${report.window}`].filter(Boolean).join(" · ");
  byId("head").textContent = `${D.titles[report.system] || report.system} · ${report.side_name || report.side}`;
  byId("due").textContent = [when ? `Orders by ${when}` : "no deadline set", owing(report)].filter(Boolean).join(" · ");
  document.title = `${report.game}: orders of ${report.side_name || report.side}, window ${report.window}`;
}

// Says who must answer a window that not every side must (pbem/reports/filters.py has the same).
function owing(report) {
  const owed = report.owed || [], own = seatOf(report), others = owed.filter((seat) => seat !== own);
  const named = [owed.includes(own) && "you", others.length && theSides(others)].filter(Boolean);
  return owed.length ? `Orders are due from ${named.join(" and ")}; ${owed.includes(own) ? "the others" : "you"} may write.` : "";
}

// Sides and officers inside a sentence (pbem/text/messages.py has the same).
function theSides(seats) {
  const name = (side) => side.split("_").map((word) => D.spelled[word] || word[0].toUpperCase() + word.slice(1)).join(" ");
  const listed = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");
  const parts = seats.map((seat) => seat.split("."));
  if (seats.length > 1 && parts.every(([, role]) => !role)) return `the ${listed(parts.map(([side]) => name(side)))} sides`;
  return listed(parts.map(([side, role]) => role ? `the ${name(side)} ${role.replace(/_/g, " ")} officer` : `the ${name(side)} side`));
}

function openChart(report) {
  const facts = D.boards[report.system], inside = D.drawn[report.system];
  byId("chart").hidden = !facts;
  if (!facts) return;
  drawChart(facts, inside);
  board.marks = () => new Map(report.units.map((u) => [u.id, lockOf(u.id) ? "locked" : decided(u.id) ? "done" : ""]));
  openBoard(facts, report, tapped);
  byId("whole").onclick = home;
  byId("in").onclick = () => nearer(1.5);
  byId("out").onclick = () => nearer(1 / 1.5);
  const defs = inside.slice(0, inside.indexOf("</defs>"));
  if (D.sheets) offerCharts(report, D.sheets.map((s, n) => (n ? { ...s, drawn: defs + s.own + s.drawn } : { ...s, board: facts, drawn: inside })));
}

function drawChart(facts, inside) {
  const space = `xmlns="${SVG_SPACE}" xmlns:xlink="http://www.w3.org/1999/xlink"`;
  const drawn = new DOMParser().parseFromString(`<svg ${space}>${inside}</svg>`, "image/svg+xml");
  const [x, y, wide, high] = facts.frame, edge = { x: x - RIM, y: y - RIM, width: wide + 2 * RIM, height: high + 2 * RIM };
  for (const [name, value] of Object.entries({ ...edge, viewBox: Object.values(edge).join(" ") })) byId("ground").setAttribute(name, value);
  byId("ground").replaceChildren(...document.adoptNode(drawn.documentElement).childNodes);
  drawCells(facts, (name) => byId("ground").querySelector(name));
}

// What cells of one shape have alike, which the drawing leaves to the page: edges and names.
function drawCells({ cells, outlines, nameless, pitch }, part) {
  const one = ([x, y]) => `M${outlines[""].map(([u, v]) => `${x + u} ${y + v}`).join("L")}Z`;
  part(".cells")?.setAttribute("d", Object.values(cells).map(one).join(""));
  const named = Object.entries(cells).filter(([name]) => nameless && !nameless.includes(name));
  part(".names")?.append(...named.map(([name, [x, y]]) => draw("text", { x, y: y - 0.36 * pitch + 3 }, name)));
}

// A button for each chart of a report that has several. A chart that offers moves shows first.
function offerCharts(report, sheets) {
  const show = (n) => {
    drawChart(sheets[n].board, sheets[n].drawn);
    showBoard(sheets[n].board, report);
    row(n);
  };
  const row = (shown) => {
    byId("sheets")?.remove();
    const made = choice("Charts", sheets.map((sheet, n) => [n, sheet.title]), shown, (n) => {
      show(n);
      byId("sheets").children[n].focus();
    });
    made.id = "sheets";
    byId("chart").prepend(made);
  };
  const first = sheets.findIndex((sheet) => sheet.board.moves);
  if (first > 0) show(first);
  else row(0);
}

// Handles a tap on the chart while no zone is being picked: of a lit cell, of units, of any other place.
function tapped(units, contacts, cell) {
  const open = units.filter((u) => book.speaker.menu[u.id]), moves = board.facts.moves?.[board.chosen]?.[cell];
  if (moves) return offerMoves(cell, moves, open.filter((u) => u.id !== board.chosen));
  const lit = board.reach.get(cell);
  if (lit) return give(lit.line);
  if (open.length > 1) {
    redraw(byId("pickers"), open.map(chooser));
    return say(`In ${titleOf(cell)}: which unit?`);
  }
  if (open.length) return choose(open[0].id);
  return farther(contacts, cell);
}

// A place beyond this turn's reach is ordered as well, if that is legal; else why it is not.
function farther(contacts, cell) {
  const foes = contacts.map((c) => `${c.id} ${c.type || ""}`.trim()).join(", ");
  const order = board.chosen && cell && !lockOf(board.chosen) ? orderTo(board.chosen, cell) : null;
  if (order && order.fault === undefined && !foes) return give(order.line);
  redraw(byId("pickers"));
  return say(foes ? `${titleOf(cell)}: ${foes}` : order?.fault || lockOf(board.chosen) || (cell ? `Zone ${titleOf(cell)}` : ""));
}

// The orders that lead the chosen unit to a place of the chart, and the other units there.
function offerMoves(cell, moves, others) {
  byId("hint").textContent = `${board.chosen} to ${cell}:`;
  redraw(byId("pickers"), [...Object.entries(moves).map(([label, line]) => button(label, () => order(line), { id: `go-${label}` })),
    ...others.map(chooser)]);
}

const chooser = (u) => button(u.id, () => choose(u.id), { id: `here-${u.id}` });

function order(line) {
  const fault = writeLine(line);
  say(fault ? fault.text : line);
}

byId("old").remove();
if (D.report) openReport({ ...D.report, ...JSON.parse(byId("known").textContent) });
else openOpener(D, openReport);
