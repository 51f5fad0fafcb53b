// One order by choosing: unit, verb, values, when. Its line is judged as it grows.

import { board, lookAt, showOverlay, whereIs } from "./board.js";
import { book, sameHead, supersedes, textWith, textWithout, write } from "./book.js";
import { button, byId, choice, make, named, redraw, select } from "./dom.js";

const PLACES = ["place", "places", "path"], MANY = ["places", "path", "units"];
const ROSE = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
const OPERATIONS = ["at least", "at most", "is", "over", "under"].map((op) => [op, op]);
const FEW = 24;
const composer = { report: null, actor: "", draft: null };

export function openComposer(report) {
  composer.report = report;
  book.told.push(showComposer);
  choose("");
}

// Turns to one actor, or to the list of all.
export function choose(actor) {
  const inside = byId("composer").contains(document.activeElement);
  Object.assign(composer, { actor, draft: null });
  board.chosen = actor;
  pickFor(null);
  if (actor) lookAt(whereIs(actor));
  showComposer();
  if (inside) byId("composer").querySelector("h2").focus({ preventScroll: true });
}

// Turns to an order that is there: its values stand where they can be changed. False for one that
// the buttons cannot make.
export function amend(given) {
  const { actor, scope, order } = given, { actions, when, otherwise } = order;
  const plans = [actions, otherwise].map((some) => verbsOf(actor).find((v) => v.verb === some[0]?.verb));
  const known = plans[0] && (plans[1] || !otherwise.length) && !when?.tests.some((t) => t.term);
  if (!known || actions.length > 1 || otherwise.length > 1) return false;
  choose(actor);
  start(plans[0]);
  Object.assign(composer.draft.args, shownArgs(actions[0]));
  Object.assign(composer.draft, { scope, instead: given, joiner: when?.joiner || "and", tests: when && when.tests.map(shownTest),
    other: plans[1] ? { plan: plans[1], args: shownArgs(otherwise[0]), typed: {} } : null });
  showComposer();
  return true;
}

const shownArgs = ({ args }) => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, Array.isArray(value) ? [...value] : String(value)]));
const shownTest = ({ left, op, right, negated }) => ({ term: left, op, negated: negated !== (right === "NO"), value: String(right) });

const verbsOf = (actor) => book.speaker.verbs(actor);
const unitOf = (id) => composer.report.units.find((u) => u.id === id);

function start(plan) {
  composer.draft = { plan, args: {}, typed: {}, scope: "", tests: null, joiner: "and", other: null, instead: null };
  const [first] = plan.args.filter((a) => PLACES.includes(a.kind));
  pickFor(first && board.facts ? composer.draft.args : null, first);
  for (const arg of plan.args) if (arg.kind === "name" && !arg.optional) composer.draft.args[arg.name] = freshName();
  const inside = byId("composer").contains(document.activeElement);
  showComposer();
  if (inside) byId("composer").querySelector("h2").focus({ preventScroll: true });
}

// TF7, when TF1 to TF6 are taken by anything that the text or the report names.
function freshName() {
  const said = `${Object.keys(composer.report.menu).join(" ")} ${book.text}`.toUpperCase();
  for (let n = 1; ; n++) if (!new RegExp(`\\bTF${n}\\b`).test(said)) return `TF${n}`;
}

// Taps on the chart go to this argument among these; null: they choose units again.
function pickFor(args, arg = null) {
  board.picking = args && arg ? (cell) => picked(args, arg, cell) : null;
  Object.assign(board, { arg: args ? arg : null, args });
  showPick();
}

function picked(args, arg, cell) {
  if (arg.kind === "place") args[arg.name] = cell;
  else if (arg.kind === "places" && (args[arg.name] || []).includes(cell)) args[arg.name] = args[arg.name].filter((z) => z !== cell);
  else args[arg.name] = [...(args[arg.name] || []), cell];
  showComposer();
}

function showPick() {
  const { arg, args } = board, some = arg && [args[arg.name] || []].flat().length;
  const how = { place: "Tap a zone", places: "Tap zones", path: "Tap the zones of the way, in order" };
  byId("hint").textContent = arg ? `${how[arg.kind]} for ${composer.actor}`
    : composer.actor ? `${composer.actor}: choose an order below` : "Tap one of your units, or choose it from the list";
  const set = (value) => () => {
    args[arg.name] = value;
    showComposer();
  };
  const back = some && arg.kind !== "place" ? button("Back one", set(args[arg.name].slice(0, -1)), { id: "pick-back" }) : null;
  redraw(byId("pickers"), back, some ? button("Clear", set([]), { id: "pick-clear" }) : null,
    arg ? button("Done", () => { pickFor(null); showComposer(); }, { id: "pick-done" }) : null);
}

export function showComposer() {
  const { actor, draft } = composer;
  const parts = !actor ? actorList() : draft ? draftParts(draft) : actorParts(actor);
  redraw(byId("composer"), parts);
  const arg = board.arg || draft?.plan.args.find((a) => PLACES.includes(a.kind)), args = board.arg ? board.args : draft?.args;
  showOverlay(draft && arg ? { from: whereIs(actor), zones: [args[arg.name] || []].flat(), kind: arg.kind } : null);
  showPick();
}

// The list of all actors, for those who do not see the chart or want none.

function actorList() {
  const known = new Set(composer.report.units.map((u) => u.id));
  const others = Object.keys(composer.report.menu).filter((a) => !known.has(a));
  const units = composer.report.units.filter((u) => composer.report.menu[u.id]);
  return [make("h2", { tabIndex: -1 }, "Your units"),
    make("ul", { className: "units" }, [...others.map((a) => actorItem(a, null)), ...units.map((u) => actorItem(u.id, u))])];
}

function actorItem(id, unit) {
  const count = book.reading.orders.filter((o) => o.actor === id).length;
  const what = unit ? [unit.type, unit.place].filter(Boolean).join(" · ") : "orders to the whole side";
  const name = make("b", {}, unit?.name || id), small = make("small", {}, what);
  const mark = make("span", { className: count ? "count on" : "count" }, count ? String(count) : "–");
  mark.setAttribute("aria-label", `${count} orders`);
  const one = button("", () => choose(id), { id: `unit-of-${id}` });
  one.append(make("span", {}, name, small), mark);
  return make("li", { className: unit?.force ? "inside" : "" }, one);
}

function heading(actor) {
  const unit = unitOf(actor);
  const what = unit ? [unit.name !== actor && unit.name, unit.type, unit.place, unit.fuel && `fuel ${unit.fuel}`,
    (unit.ships || []).join(", ")].filter(Boolean).join(" · ") : "orders to the whole side";
  return make("div", { className: "heading" }, button("‹ All", () => choose(""), { title: "All units" }),
    make("h2", { tabIndex: -1 }, actor), make("p", {}, what));
}

function actorParts(actor) {
  const mine = book.reading.orders.filter((o) => o.actor === actor);
  const rows = mine.map((o) => make("li", {}, make("code", {}, `${o.scope}${o.content};`)));
  return [heading(actor), rows.length ? make("ul", { className: "has" }, rows) : null,
    make("p", { className: "ask" }, rows.length ? "Another order:" : "What shall it do?"),
    make("div", { className: "verbs", role: "group", ariaLabel: `Orders for ${actor}` },
      verbsOf(actor).map((plan) => button(plan.verb, () => start(plan), { title: plan.help })))];
}

// The order that is being made.

function draftParts(draft) {
  const { plan } = draft;
  const rule = plan.rule ? ` (${plan.rule})` : "";
  return [heading(composer.actor),
    make("p", { className: "verb" }, make("b", {}, plan.verb), ` ${plan.help}${rule}`),
    plan.args.map((arg) => argument(draft, arg, "arg")),
    whenParts(draft), testParts(draft), preview(draft)];
}

const labelOf = ({ keyword, name, optional }) => {
  const word = keyword && keyword !== "as" ? keyword : name;
  return word[0].toUpperCase() + word.slice(1) + (optional ? ", if you like" : "");
};

// One argument of the action, or of the one behind `else`; role: what its controls are called by.
function argument({ args, typed }, arg, role) {
  const put = (value) => {
    if (value === "" || (Array.isArray(value) && !value.length)) delete args[arg.name];
    else args[arg.name] = value;
    showComposer();
  };
  if (PLACES.includes(arg.kind)) return placeField({ args, typed }, arg, put, role);
  const options = optionsOf(arg);
  if (MANY.includes(arg.kind)) {
    const has = args[arg.name] || [];
    return field(labelOf(arg), choice(labelOf(arg), options, has, (v) => put(has.includes(v) ? has.filter((x) => x !== v) : [...has, v])));
  }
  if (options.length > FEW) return named(labelOf(arg), select([["", "–"], ...options], args[arg.name] || "", put));
  if (options.length) return field(labelOf(arg), choice(labelOf(arg), options, args[arg.name], (v) => put(args[arg.name] === v ? "" : v)));
  const control = make("input", { type: "text", id: `${role}-${arg.name}`, value: args[arg.name] || "", autocomplete: "off",
    inputMode: arg.kind === "number" ? "decimal" : "text", oninput: () => put(control.value.trim()) });
  return named(labelOf(arg), control);
}

const field = (label, control) => make("div", { className: "field" }, make("p", { className: "label" }, label), control);

function optionsOf(arg) {
  const { units, contacts } = composer.report, same = (list) => list.map((v) => [String(v), String(v)]);
  if (arg.values?.length) return same(arg.values);
  if (arg.kind === "unit" || arg.kind === "units") return units.filter((u) => u.id !== composer.actor).map((u) => [u.id, u.id, u.name]);
  if (arg.kind === "contact") return contacts.map((c) => [c.id, `${c.id} ${c.type || ""}`.trim(), c.place]);
  if (arg.kind === "direction") return same(arg.choices?.length ? arg.choices : ROSE);
  return same(arg.choices || []);
}

function placeField({ args, typed }, arg, put, role) {
  const said = [args[arg.name] || []].flat().join(" "), raw = typed[arg.name] || "";
  const control = make("input", { type: "text", id: `${role}-${arg.name}`, value: zonesOf(raw).join(" ") === said ? raw : said,
    autocomplete: "off", spellcheck: false, autocapitalize: "characters", oninput: () => {
      typed[arg.name] = control.value;
      put(arg.kind === "place" ? zonesOf(control.value).join(" ") : zonesOf(control.value));
    } });
  const listed = (arg.values || []).length && arg.values.length <= FEW
    ? choice(labelOf(arg), arg.values.map((v) => [v, v]), args[arg.name], (v) => put(arg.kind === "place" ? v : [...(args[arg.name] || []), v])) : null;
  const picking = board.arg === arg && board.args === args;
  const onChart = board.facts ? button("On the chart", () => {
    pickFor(picking ? null : args, arg);
    showComposer();
  }, { id: `pick-${role}-${arg.name}` }) : null;
  onChart?.setAttribute("aria-pressed", picking);
  return make("div", { className: "place" }, named(labelOf(arg), control), onChart, listed);
}

const zonesOf = (text) => text.toUpperCase().split(/[\s,]+/).filter(Boolean);

function whenParts(draft) {
  const turn = /^turn (\d+)/.exec(draft.scope)?.[1] || "";
  const kinds = [["", "This turn"], ["@", "Standing", "until you replace it"], ["turn", "A later turn"]];
  const set = (scope) => {
    draft.scope = scope === "turn" ? `turn ${composer.report.turn + 1} ` : scope;
    showComposer();
  };
  const control = make("input", { type: "text", inputMode: "numeric", value: turn, id: "later",
    oninput: () => { draft.scope = `turn ${control.value.trim()} `; showComposer(); } });
  const conditional = button("Only if …", () => {
    draft.tests = draft.tests ? null : [freshTest()];
    draft.other = draft.tests ? draft.other : null;
    showComposer();
  }, { id: "only-if" });
  conditional.setAttribute("aria-pressed", Boolean(draft.tests));
  return make("div", { className: "field" }, make("p", { className: "label" }, "When"),
    make("div", { className: "row" }, choice("When", kinds, draft.scope.startsWith("turn") ? "turn" : draft.scope, set),
      book.speaker.terms.length ? conditional : null),
    draft.scope.startsWith("turn") ? named("In turn", control) : null);
}

const freshTest = () => ({ term: book.speaker.terms[0].name, negated: false, op: "at least", value: "" });

function testParts(draft) {
  if (!draft.tests) return null;
  const rows = draft.tests.map((test, i) => testRow(draft, test, i));
  const joiner = draft.tests.length > 1 ? choice("Joined by", [["and", "all of them"], ["or", "one of them"]], draft.joiner,
    (v) => { draft.joiner = v; showComposer(); }) : null;
  const more = button("Another test", () => { draft.tests.push(freshTest()); showComposer(); });
  const verbs = [["", "follow its other orders"], ...verbsOf(composer.actor).map((v) => [v.verb, v.verb])];
  const other = named("Otherwise", select(verbs, draft.other?.plan.verb || "", (verb) => {
    const plan = verbsOf(composer.actor).find((v) => v.verb === verb);
    draft.other = plan ? { plan, args: {}, typed: {} } : null;
    showComposer();
  }));
  return make("div", { className: "tests" }, rows, make("div", { className: "row" }, joiner, more), other,
    draft.other ? draft.other.plan.args.map((arg) => argument(draft.other, arg, "else")) : null);
}

function testRow(draft, test, i) {
  const { terms } = book.speaker, term = terms.find((t) => t.name === test.term);
  const put = (change) => { Object.assign(test, change); showComposer(); };
  const which = select(terms.map((t) => [t.name, t.name]), test.term, (v) => put({ term: v, value: "", op: "at least" }));
  const control = make("input", { type: "text", id: `test-${i}`, value: test.value, autocomplete: "off", oninput: () => put({ value: control.value.trim() }) });
  const values = [["", "–"], ...(term.values || []).map((v) => [v, v])];
  const value = term.values?.length ? select(values, test.value, (v) => put({ value: v })) : control;
  const flag = term.kind === "flag";
  const op = flag ? select([["", "is so"], ["not", "is not so"]], test.negated ? "not" : "", (v) => put({ negated: v === "not" }))
    : select(OPERATIONS, test.op, (op) => put({ op }));
  [which, op, value].forEach((control, n) => control.setAttribute("aria-label", `${["What", "How", "Value"][n]} of test ${i + 1}`));
  const gone = button("×", () => { draft.tests.splice(i, 1); draft.tests = draft.tests.length ? draft.tests : null; showComposer(); });
  gone.setAttribute("aria-label", `Without test ${i + 1}`);
  return make("div", {}, make("div", { className: "test" }, which, op, flag ? null : value, gone),
    make("small", {}, term.help || ""));
}

const actionText = ({ plan, args }) => book.speaker.showAction({ verb: plan.verb, args });

function testText({ term, negated, op, value }) {
  const flag = book.speaker.terms.find((t) => t.name === term).kind === "flag";
  return flag ? `${negated ? "not " : ""}${term}` : `${term} ${op} ${value}`.trim();
}

function lineOfDraft(draft) {
  const other = draft.other ? ` else ${actionText(draft.other)}` : "";
  const when = draft.tests ? `if ${draft.tests.map(testText).join(` ${draft.joiner} `)} then ` : "";
  return `${draft.scope}${composer.actor}: ${when}${actionText(draft)}${draft.tests ? other : ""};`;
}

// The whole text with this order in it, and what is wrong with the order.
function judgedDraft(draft) {
  const line = lineOfDraft(draft), conditional = Boolean(draft.tests);
  const instead = draft.instead ? [draft.instead] : supersedes(composer.actor, draft.scope, draft.plan.verb, conditional);
  const left = textWithout(instead), base = left === null ? book.text : left;
  const text = textWith(base, line, composer.actor, draft.scope, conditional, left === null ? [] : instead);
  const found = book.speaker.checkLines(text), at = text.split("\n").indexOf(line) + 1;
  const order = found.orders.find((o) => o.line === at && sameHead(o, composer.actor, draft.scope));
  return { text, line, order, problems: found.problems.filter((p) => p.line === at), instead: left === null ? [] : instead };
}

function preview(draft) {
  const judged = judgedDraft(draft), bad = judged.problems;
  const add = button(draft.instead ? "Change the order" : "Add the order", () => {
    write(judged.text);
    choose("");
  }, { id: "add", className: "main", disabled: bad.length > 0 || !judged.order });
  const gone = judged.instead.map((o) => o.text).filter((text) => `${text};` !== judged.line);
  return make("div", { className: "preview" }, make("code", { id: "draft" }, judged.line),
    judged.order?.note ? make("small", {}, judged.order.note) : null,
    bad.slice(0, 2).map((p) => make("p", { className: p.code === "missing-argument" ? "quiet" : "fault" }, `${p.text}${p.rule ? ` (${p.rule})` : ""}${p.hint ? `; ${p.hint}` : ""}`)),
    gone.length ? make("small", {}, `in place of: ${gone.join("; ")}`) : null,
    make("p", { className: "row" }, add, button("Leave it", () => choose(composer.actor), { id: "leave" })));
}
