// The order language for the page: one speaker for each report.

import { streams } from "./canon.js";
import { judge } from "./diagnose.js";
import { learnFolds } from "./fold.js";
import { misfits } from "./gate.js";
import { readHeader, showHeader } from "./header.js";
import { earlier, inForce, withoutOrders } from "./in_force.js";
import { understand } from "./parse.js";
import { lineNumber, lineStart, locate, unitsBefore } from "./reading.js";
import { withinRole } from "./role.js";
import { scopeText, showAction, showCondition, showContent, showOrder, showSet } from "./show.js";
import { languageOf, vocabularyOf } from "./vocabulary.js";

// A system's own checks, by its name: (constants, report) -> {check, note, after, beside, plain}, the first four
// functions of an order and of what it is judged by (pbem/translate). Without them, only the menu decides. `unknown` lists the house rules that
// the page does not contain: it does not check what they decide.
export const SYSTEMS = {};

const DAY_LENGTH = 86400, PLAUSIBLE = 90 * DAY_LENGTH;
const USUAL_ANSWER = "the default: orders of this set that answer otherwise count before it";
const OPENING = "BEGIN ORDERS\n";
const CLOSING = "\nEND ORDERS\n";

// The functions for answering one report; null if the page does not contain the report's system.
// data: pbem/web/order_language.py.
export function speaker(data, report) {
  learnFolds(data.fold);
  if (!Object.hasOwn(data.languages, report.system)) return null;
  const raw = data.languages[report.system];
  const language = languageOf(raw), vocabulary = vocabularyOf(report, language);
  const constants = { values: raw.values, unknown: unknownTables(raw, report) };
  // a page for any game has the checks of one edition; a game of another one is left to the referee
  const own = raw.edition === report.edition && SYSTEMS[report.system]?.(constants, report) || {};
  const told = { report, language, vocabulary, whole: raw.whole_sets || false, spent: raw.spent || [], idle: raw.idle || "",
    own: { check: () => null, note: () => "", after: () => null, beside: () => null, ...own } };
  return {
    check: (text) => checked(told, text, false),
    checkLines: (lines) => checkedLines(told, lines),
    gate: (text) => gateProblems(told, text),
    verbs: (actor) => offeredVerbs(told, actor),
    showAction: (action) => showAction(action, language),
    menu: report.menu || {},
    terms: raw.terms,
    triggers: raw.triggers,
    places: raw.places,
    aliases: raw.aliases,
    form: (report.suggest || []).join("\n"),
  };
}

function unknownTables(raw, report) {
  const house = JSON.parse(report.setup?.text || "{}").house || {};
  return Object.keys(house).filter((name) => !raw.tables.includes(name));
}

// The bytes that the signature of the single block in `text` covers: {bytes, text}, or {problems}.
export function canonical(data, text) {
  learnFolds(data.fold);
  const units = streams(text);
  if (units.length !== 1) return { problems: [blockProblem(units.length)] };
  const [unit] = units;
  if (unit.faults.length) return { problems: unit.faults.map((fault) => locate(unit, fault)) };
  return { bytes: new TextEncoder().encode(unit.canonical), text: unit.canonical,
    signature: unit.signature };
}

// The number of a set, as `pbem sign` chooses it (pbem/player/sign.py). seconds: the time.
export function sequence(report, seconds) {
  const plausible = seconds >= report.seq && seconds <= report.seq + PLAUSIBLE;
  return plausible ? seconds : report.seq + (((seconds % DAY_LENGTH) + DAY_LENGTH) % DAY_LENGTH);
}

// The header that answers a report, as `pbem sign` writes it. seq: see `sequence`.
export function headerText(report, { seq, link = "none", anchor = "" }) {
  return showHeader({ game: report.game, setup: report.setup.digest, window: report.window,
    side: report.side, seq: Math.max(seq, report.seq), report: report.digest, link,
    moderator: report.moderator.key, anchor });
}

// BEGIN ORDERS, the header, the order lines, END ORDERS. fields: as `headerText` takes them.
export function block(report, lines, fields) {
  return `${OPENING}${headerText(report, fields)}${lines.trimEnd()}${CLOSING}`;
}

// bare: the text has no header, and that is not reported.
function checked(told, text, bare) {
  const units = streams(text);
  const empty = { refusals: 1, orders: [], answers: {}, answerNotes: {}, cleared: [], declared: [], words: {}, lines: "",
    without: [], defaults: [], standing: [], kept: [], thisTurn: [], replaced: [], header: null, blocks: units.length };
  if (units.length !== 1) return { ...empty, problems: [blockProblem(units.length)] };
  const judged = judge(understand(units[0], told.vocabulary), told.report, told.own);
  const reading = withinRole(judged, told.report);
  const refusals = bare && !units[0].faults.length ? [] : reading.refusals;
  return {
    problems: [...refusals, ...reading.diagnostics],
    refusals: refusals.length,
    orders: reading.orders.map((order, i) => described(told, reading, order, i)),
    answers: Object.fromEntries(reading.answers),
    answerNotes: answerNotes(told.report, reading),
    cleared: reading.cleared,
    declared: reading.declared,
    words: Object.fromEntries(reading.words),
    lines: showSet(reading, told.language),
    without: withoutOrders(told, reading),
    idle: told.idle,
    defaults: defaultsLeft(told.report, reading),
    standing: inForce(told, reading),
    ...earlier(told, reading),
    header: reading.header,
    blocks: 1,
  };
}

// Checks order lines without a header; positions count within these lines.
function checkedLines(told, lines) {
  const found = checked(told, OPENING + lines + CLOSING, true);
  const moved = (each) => ({ ...each, line: Math.max(1, each.line - 1),
    start: Math.max(0, each.start - OPENING.length),
    end: Math.min(Math.max(0, each.end - OPENING.length), lines.length) });
  return { ...found, problems: found.problems.map(moved), orders: found.orders.map(moved) };
}

// One good order: its text, note and position, and the order itself.
function described(told, reading, order, i) {
  const { unit } = reading, { start, end } = reading.places[i].order;
  return { text: showOrder(order, told.language), scope: scopeText(order), actor: order.actor,
    content: showContent(order, told.language), when: order.when ? showCondition(order.when) : "",
    note: told.own.note(order, reading.seen[i]), standing: order.standing, turn: order.turn, order,
    line: lineNumber(unit.chars, lineStart(unit.chars, start)),
    start: unitsBefore(unit, start), end: unitsBefore(unit, end) };
}

// The unanswered questions with a choice, and their defaults.
function defaultsLeft(report, reading) {
  return (report.questions || []).filter((question) => question.choices?.length !== 1 && !reading.answers.has(question.id))
    .map((question) => `${question.id}: ${question.default}`);
}

// By question, what to know of an answer that repeats its default beside orders: these count before it.
function answerNotes(report, reading) {
  if (!reading.orders.some((order) => order.turn === null || order.turn === report.turn)) return {};
  const asked = (report.questions || []).filter(({ id, choices, default: usual }) => choices?.length !== 1
    && reading.answers.has(id) && JSON.stringify(reading.answers.get(id)) === JSON.stringify(usual));
  return Object.fromEntries(asked.map(({ id }) => [id, USUAL_ANSWER]));
}

function blockProblem(found) {
  return { code: found ? "two-blocks" : "no-block", line: 1, column: 1, length: 1, source: "", at: 0,
    text: `one block BEGIN ORDERS ... END ORDERS expected, ${found} found`, rule: "",
    hint: "begin with the form of your report", start: 0, end: 0 };
}

// What the referee would say of the header of a whole file.
function gateProblems(told, text) {
  const units = streams(text);
  if (units.length !== 1) return [blockProblem(units.length)];
  const [unit] = units;
  if (unit.faults.length) return unit.faults.map((fault) => locate(unit, fault));
  const { header, faults } = readHeader(unit.tokens);
  if (!header) return faults.map((fault) => locate(unit, fault));
  const at = { start: unit.tokens[0].start, end: unit.tokens[1].end };
  return misfits(header, told.report).map((misfit) => locate(unit, { ...misfit, ...at }));
}

// The verbs that the menu offers an actor now, with their entries in the verb table.
function offeredVerbs(told, actor) {
  return (told.vocabulary.menu.get(actor) || []).map((item) => {
    const { verb } = told.language.plans.get(item.verb);
    const listed = new Map((item.args || []).map((arg) => [arg.name, arg.values || []]));
    return { verb: verb.name, help: verb.help, example: verb.example, rule: verb.rule, once: verb.once || "",
      args: verb.args.filter((arg) => listed.has(arg.name))
        .map((arg) => ({ ...arg, values: listed.get(arg.name) })) };
  });
}
