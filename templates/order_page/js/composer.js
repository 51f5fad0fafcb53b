// Writes one order by choices: unit, verb, values, when. The line is checked after each choice.

import { board, lookAt, showOverlay, whereIs } from "./board.js";
import { book, fromForm, sameHead, supersedes, textWith, textWithout, write, writeLine } from "./book.js";
import { button, byId, choice, make, named, redraw, select } from "./dom.js";
import { asLastTurn, asSuggested, decided, lockOf, needing, nextAfter, others, othersHold, plan, restWord, undecided } from "./plan.js";
import { capital, exitsOf, goOf, listedOf, orderTo, placeOf, quickOf, reachOf, titleOf } from "./reach.js";

const PLACES = ["place", "places", "path"], MANY = ["places", "path", "units", "rows"];
const ROSE = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
const OPERATIONS = ["at least", "at most", "is", "over", "under"];
const FEW = 24, CROWD = 40;
// As in the style sheet, by the size of the reader's text.
const ROOMY = matchMedia("(min-width: 56.3125em)");
const composer = { report: null, actor: "", draft: null, ready: null, hint: "", all: ROOMY.matches };

export function openComposer(report) {
  composer.report = report;
  book.told.push(showComposer);
  choose("");
}

// Shows one actor, or the list of all.
export function choose(actor) {
  const inside = byId("composer").contains(document.activeElement);
  Object.assign(composer, { actor, draft: null });
  board.chosen = actor;
  board.plot?.choose(unitOf(actor), composer.report);
  board.reach = actor ? reachOf(actor, () => { if (board.chosen === actor) reachChanged(); }) : new Map();
  pickFor(null);
  if (actor) lookAt(whereIs(actor), listedOf(actor).map((cell) => board.facts.cells[cell]).filter(Boolean));
  showComposer();
  if (actor || inside) intoView();
  if (inside) toHeading();
}

// On a phone the unit's orders begin below the chart, which stays in sight.
function intoView() {
  if (ROOMY.matches || !board.facts) return;
  const { top } = byId("composer").getBoundingClientRect(), { bottom } = byId("chart").getBoundingClientRect();
  if (top < bottom - 1) scrollBy(0, top - bottom - 8);
}

function reachChanged() {
  showOverlay();
  if (byId("hint").textContent === composer.hint) showPick();
  if (!composer.draft && exitsOf(composer.actor).length) redraw(byId("composer"), actorParts(composer.actor));
}

// Writes an order of one tap for the chosen actor and goes on to the next that has none.
export function give(line) {
  const { actor } = composer, inside = byId("composer").contains(document.activeElement), fault = writeLine(line);
  if (!fault) choose(nextAfter(actor));
  if (inside && !fault) toHeading();
  say(fault ? fault.text : [line, composer.actor && `Next: ${composer.actor}`].filter(Boolean).join(" "));
}

// Puts the focus where the chosen unit's orders begin.
export function toHeading() {
  byId("composer").querySelector("h2").focus({ preventScroll: true });
}

// Says what happened in the line below the chart, which screen readers read out.
export function say(text) {
  byId("hint").textContent = text;
}

// Opens an existing order so that its values can be changed. False for an order that the buttons
// cannot make.
export function amend(given) {
  const { actor, scope, order } = given, { actions, when, otherwise } = order;
  const planOf = ({ verb }) => verbsOf(actor).find((v) => v.verb === verb);
  const steps = (some) => some.map((action) => ({ plan: planOf(action), args: shownArgs(action), typed: {} }));
  if (![...actions, ...otherwise].every(planOf) || when?.tests.some((test) => test.other)) return false;
  choose(actor);
  start(planOf(actions[0]));
  const [first, ...more] = steps(actions), { does: [own] } = composer.draft;
  Object.assign(own.args, first.args);
  Object.assign(composer.draft, { scope, instead: given, joiner: when?.joiner || "and", tests: when && when.tests.map(shownTest),
    does: [own, ...more], other: steps(otherwise), trigger: order.trigger || "" });
  showComposer();
  return true;
}

const stepOf = (plan) => ({ plan, args: {}, typed: {} });
const shownArgs = ({ args }) => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, Array.isArray(value) ? [...value] : String(value)]));
const shownTest = ({ left, op, right, negated, term, of = "" }) => ({ term: left, of, op, negated: negated !== (right === "NO"), value: term ? "" : String(right), peer: term ? right : "" });

const verbsOf = (actor) => book.speaker.verbs(actor);
const unitOf = (id) => composer.report.units.find((u) => u.id === id);

// An order whose example is a standing one begins as one.
function start(plan) {
  const step = stepOf(plan), scope = (plan.example || "").startsWith("@") ? "@" : "";
  composer.draft = { does: [step], scope, tests: null, joiner: "and", other: [], instead: null, more: null, trigger: "" };
  begin(step);
  const inside = byId("composer").contains(document.activeElement);
  showComposer();
  if (inside) toHeading();
}

// Starts a new action: taps go to its first place, and a new force gets a name.
function begin({ plan, args }) {
  const [first] = plan.args.filter((a) => PLACES.includes(a.kind));
  pickFor(first && board.facts ? args : null, first);
  for (const arg of plan.args) if (arg.kind === "name" && !arg.optional) args[arg.name] = freshName();
}

// A free name: TF7 if the text or the report uses TF1 to TF6.
function freshName() {
  const said = `${Object.keys(composer.report.menu).join(" ")} ${book.text}`.toUpperCase();
  for (let n = 1; ; n++) if (!new RegExp(`\\bTF${n}\\b`).test(said)) return `TF${n}`;
}

// Sends taps on the chart to this argument of `args`; null: taps choose units again.
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
  const how = { place: "tap a zone", places: "tap zones", path: "tap the zones of the path, in order" };
  composer.hint = arg ? `${composer.actor}: ${how[arg.kind]}`
    : composer.draft ? `${composer.actor}: ${composer.draft.does[0].plan.verb}`
    : lockOf(composer.actor) ? `${composer.actor} is locked`
    : board.plot?.hint() ? board.plot.hint()
    : composer.actor && board.facts && (board.reach.size || board.reach.whole === false) ? `Tap a lit place: ${composer.actor} is there this turn`
    : composer.actor ? `${composer.actor}: choose an order below` : board.facts ? "Tap a unit, then a lit place. Drag to move." : "Choose a unit";
  byId("hint").textContent = composer.hint;
  const set = (value) => () => {
    args[arg.name] = value;
    showComposer();
  };
  const back = some && arg.kind !== "place" ? button("Remove the last", set(args[arg.name].slice(0, -1)), { id: "pick-back" }) : null;
  redraw(byId("pickers"), back, some ? button("Clear", set([]), { id: "pick-clear" }) : null,
    composer.ready ? button("Add", composer.ready, { id: "pick-add", className: "main" })
      : arg ? button("Done", () => { pickFor(null); showComposer(); }, { id: "pick-done" }) : null);
}

export function showComposer() {
  const { actor, draft } = composer;
  composer.ready = null;
  const parts = !actor ? actorList() : draft ? draftParts(draft) : actorParts(actor);
  redraw(byId("composer"), parts);
  sift();
  const arg = board.arg || draft?.does[0].plan.args.find((a) => PLACES.includes(a.kind)), args = board.arg ? board.args : draft?.does[0].args;
  showOverlay(draft && arg ? { from: whereIs(actor), zones: [args[arg.name] || []].flat(), kind: arg.kind } : null);
  showPick();
}

// The list of all actors, for players who cannot see the chart or do not want it.

function actorList() {
  const known = new Set(composer.report.units.map((u) => u.id)), { menu } = composer.report;
  const all = [...Object.keys(menu).filter((a) => !known.has(a)), ...composer.report.units.filter((u) => menu[u.id]).map((u) => u.id)];
  const open = undecided(), free = others().filter((id) => !decided(id)), locked = all.filter(lockOf);
  const rest = all.filter((id) => ![open, free, locked].some((some) => some.includes(id)));
  const group = (title, ids, more = null) => (ids.length ? [make("h3", { className: "group" }, `${title} (${ids.length})`), more,
    make("ul", { className: "units" }, ids.map((id) => actorItem(id, unitOf(id))))] : null);
  const done = needing().length - open.length;
  return [make("h2", { tabIndex: -1 }, open.length ? done ? `${open.length === 1 ? "1 unit" : `${open.length} units`} not decided yet` : "Your units" : "Every unit has its order"),
    make("p", { className: "quiet" }, open.length ? "Tap a unit, then a lit place. Or let these buttons fill in the rest." : "Tap one to change it, or sign."),
    fills(), finder(all.length), group("Not yet decided", open), group("May be ordered as well", free), group("Decided, or following", rest), group("Locked", locked)];
}

// A field that finds units by words of what the list says of them; for long lists.
function finder(count) {
  if (count <= CROWD) return null;
  const find = make("input", { type: "search", id: "find", value: composer.find || "", placeholder: "name, type, place, order", autocomplete: "off" });
  find.oninput = () => {
    composer.find = find.value;
    sift();
  };
  find.onkeydown = (e) => {
    if (e.key === "Enter") byId("composer").querySelector("ul.units > li:not([hidden]) button")?.click();
  };
  return named("Find a unit", find);
}

function sift() {
  if (!byId("find")) return;
  const words = (composer.find || "").toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of byId("composer").querySelectorAll("ul.units > li")) {
    const said = `${item.textContent} ${item.firstChild.id}`.toLowerCase();
    item.hidden = !words.every((word) => said.includes(word));
  }
}

// Orders for several units at once.
function fills() {
  const open = undecided(), word = restWord(), { last } = plan;
  const one = (id, words, act, said, off) => button(words, () => {
    act();
    choose("");
    say(said);
  }, { id, disabled: off });
  return make("div", { className: "row fills", role: "group", "aria-label": "Orders for several units" },
    one("as-last", "As last turn", asLastTurn, "Orders as last turn", !last.length),
    one("as-form", "As suggested", asSuggested, "Suggested orders accepted", !open.length),
    one("rest", word ? `All others ${word}` : "All others as they are", othersHold, word ? `All others ${word}` : "All others stay as they are", !open.length));
}

function actorItem(id, unit) {
  const mine = book.reading.orders.filter((o) => o.actor === id), count = mine.length, lock = lockOf(id);
  const what = unit ? [unit.type, titleOf(unit.place)].filter(Boolean).join(" · ") : "orders for the whole side";
  const said = lock || (count ? mine.map((o) => o.scope + o.content).join("; ") : "");
  const name = make("b", {}, unit?.name || id), small = make("small", {}, what, said ? [make("br"), said] : null);
  const own = count && !mine.every(fromForm), mark = make("span", { className: own || book.seen.includes(id) ? "count on" : "count" }, lock ? "locked" : count ? String(count) : "–");
  if (!lock) mark.setAttribute("aria-label", `${count} orders`);
  const one = button("", () => choose(id), { id: `unit-of-${id}` });
  one.append(make("span", {}, name, small), mark);
  return make("li", { className: [unit?.force && "inside", lock && "locked"].filter(Boolean).join(" ") }, one);
}

function heading(actor) {
  const unit = unitOf(actor);
  const what = unit ? [unit.name !== actor && unit.name, unit.type, titleOf(unit.place), unit.fuel && unit.fuel !== "-" && `fuel ${unit.fuel}`,
    (unit.ships || []).join(", "), lockOf(actor)].filter(Boolean).join(" · ") : "orders for the whole side";
  const next = nextAfter(actor);
  return make("div", { className: "heading" }, button("‹ All", () => choose(""), { title: "All units" }),
    make("h2", { tabIndex: -1 }, actor), next ? button("Next ›", () => choose(next), { title: `Next: ${next}`, id: "next" }) : null, make("p", {}, what));
}

function actorParts(actor) {
  const mine = book.reading.orders.filter((o) => o.actor === actor), lock = lockOf(actor);
  const rows = mine.map((o) => make("li", {}, make("code", {}, `${o.scope}${o.content};`), fromForm(o) && !book.seen.includes(actor) ? make("small", {}, "suggested") : null));
  const verbs = make("div", { className: "verbs", role: "group", "aria-label": `Orders for ${actor}` },
    verbsOf(actor).map((plan) => button(plan.verb, () => start(plan), { title: plan.help })));
  const quick = lock ? [] : quickParts(actor).filter(Boolean);
  const all = make("details", { id: "all", open: composer.all || !quick.length, ontoggle: () => { composer.all = all.open; } },
    make("summary", {}, "All orders, with conditions or for later"), verbs);
  return [heading(actor), rows.length ? make("ul", { className: "has" }, rows) : null, board.plot?.panel() || null, quick, fills(), all];
}

// What one tap orders, for those who do not tap the chart as well.
function quickParts(actor) {
  const mine = new Set(book.reading.orders.map((o) => `${o.text};`));
  const one = ({ label, line, note }) => {
    const made = button(label, () => give(line), { title: note });
    made.setAttribute("aria-pressed", mine.has(line) && (decided(actor) || !label.endsWith("(suggested)")));
    return made;
  };
  const exits = exitsOf(actor), quick = quickOf(actor, plan.last);
  return [quick.length ? make("div", { className: "row", role: "group", "aria-label": `${actor}: orders of one tap` }, quick.map(one)) : null,
    exits.length ? [make("p", { className: "label" }, "Where to"), make("div", { className: "row exits", role: "group", "aria-label": `${actor}: where to` }, exits.map(one))]
      : zonePart(actor)];
}

// A place by its name, for keys.
function zonePart(actor) {
  const go = goOf(actor);
  if (!go || !placeOf(actor)) return null;
  const control = make("input", { type: "text", id: "zone", maxLength: 12, autocomplete: "off", spellcheck: false, autocapitalize: "characters" });
  const act = () => {
    const order = orderTo(actor, control.value.trim().toUpperCase());
    if (order.line && order.fault === undefined) give(order.line);
    else say(order.fault || `${capital(go.verb)}: name a place`);
  };
  control.addEventListener("keydown", (e) => { if (e.key === "Enter") act(); });
  return make("div", { className: "row zone" }, make("label", { htmlFor: "zone" }, `${capital(go.verb)} to`), control, button("Go", act, { id: "go" }));
}

// The order being written.

function draftParts(draft) {
  return [heading(composer.actor), stepsParts(draft.does, "arg", 1), whenParts(draft), testParts(draft), preview(draft)];
}

// Actions joined by `also`. role: prefix of the ids of the first one's controls; least: the smallest number
// of actions.
function stepsParts(steps, role, least) {
  const parts = steps.map(({ plan, ...step }, i) => {
    const gone = button("×", () => { steps.splice(i, 1); pickFor(null); showComposer(); });
    gone.setAttribute("aria-label", `Remove ${plan.verb}`);
    return [make("div", { className: "verb" }, make("p", {}, i ? make("i", {}, "also ") : null, make("b", {}, plan.verb), ` ${plan.help}${plan.rule ? ` (${plan.rule})` : ""}`),
      steps.length > least ? gone : null), plan.args.map((arg) => argument(step, arg, i ? `${role}${i}` : role))];
  });
  return [parts, composer.draft.more === role ? alsoPart(steps, role) : null];
}

function alsoPart(steps, role) {
  return named("And also", select([["", "choose an order"], ...verbsOf(composer.actor).map((v) => [v.verb, v.verb])], "", (verb) => {
    composer.draft.more = null;
    steps.push(stepOf(verbsOf(composer.actor).find((v) => v.verb === verb)));
    begin(steps[steps.length - 1]);
    showComposer();
  }, { id: `${role}-also` }));
}

// Opens or closes the choice of a further action.
function alsoButton(role) {
  const { draft } = composer, one = button("Also …", () => { draft.more = draft.more === role ? null : role; showComposer(); }, { id: `more-${role}` });
  one.setAttribute("aria-pressed", draft.more === role);
  return one;
}

const labelOf = ({ keyword, name, optional }) => {
  const word = keyword && keyword !== "as" ? keyword : name;
  return word[0].toUpperCase() + word.slice(1) + (optional ? " (optional)" : "");
};

// One argument of the action, or of the one after `else`. role: prefix of its controls' ids.
function argument({ args, typed }, arg, role) {
  const put = (value) => {
    if (value === "" || (Array.isArray(value) && !value.length)) delete args[arg.name];
    else args[arg.name] = value;
    showComposer();
  };
  if (PLACES.includes(arg.kind)) return placeField({ args, typed }, arg, put, role);
  const options = optionsOf(arg);
  if (MANY.includes(arg.kind) && (options.length || arg.kind !== "rows")) {
    const has = args[arg.name] || [];
    return field(labelOf(arg), choice(labelOf(arg), options, has, (v) => put(has.includes(v) ? has.filter((x) => x !== v) : [...has, v])));
  }
  if (options.length > FEW) return named(labelOf(arg), select([["", "–"], ...options], args[arg.name] || "", put));
  if (options.length) return field(labelOf(arg), choice(labelOf(arg), options, args[arg.name], (v) => put(args[arg.name] === v ? "" : v)));
  const control = make("input", { type: "text", id: `${role}-${arg.name}`, value: [args[arg.name] || ""].flat().join(" "), autocomplete: "off",
    className: arg.kind.startsWith("point") ? arg.kind : "", placeholder: patternOf(arg), inputMode: arg.kind === "number" ? "decimal" : "text", oninput: () => put(control.value.trim()) });
  return named(labelOf(arg), control);
}

// What to write for values side by side: `ahead|port by`.
function patternOf({ kind, of = [] }) {
  const row = of.map((part) => part.choices.join("|") || part.name).join(" ");
  return { point: "x y", row, rows: `${row} …` }[kind] || "";
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
    draft.other = draft.tests ? draft.other : [];
    showComposer();
  }, { id: "only-if" });
  conditional.setAttribute("aria-pressed", Boolean(draft.tests));
  const { triggers } = book.speaker, happens = [["", "–"], ...triggers.map((name) => [name, name])];
  const trigger = triggers.length ? select(happens, draft.trigger, (name) => { draft.trigger = name; showComposer(); }, { id: "trigger" }) : null;
  return make("div", { className: "field" }, make("p", { className: "label" }, "When"),
    make("div", { className: "row" }, choice("When", kinds, draft.scope.startsWith("turn") ? "turn" : draft.scope, set),
      book.speaker.terms.length ? conditional : null, alsoButton("arg")),
    draft.scope.startsWith("turn") ? named("In turn", control) : null, trigger ? named("As a reaction, when", trigger) : null);
}

const freshTest = () => ({ term: book.speaker.terms[0].name, of: "", negated: false, op: "at least", value: "", peer: "" });

function testParts(draft) {
  if (!draft.tests) return null;
  const rows = draft.tests.map((test, i) => testRow(draft, test, i));
  const joiner = draft.tests.length > 1 ? choice("Joined by", [["and", "all of them"], ["or", "any of them"]], draft.joiner,
    (v) => { draft.joiner = v; showComposer(); }) : null;
  const more = button("Another test", () => { draft.tests.push(freshTest()); showComposer(); });
  const verbs = [["", "follow its other orders"], ...verbsOf(composer.actor).map((v) => [v.verb, v.verb])];
  const other = named("Otherwise", select(verbs, draft.other[0]?.plan.verb || "", (verb) => {
    const plan = verbsOf(composer.actor).find((v) => v.verb === verb);
    draft.other = plan ? [stepOf(plan)] : [];
    pickFor(null);
    showComposer();
  }, { id: "otherwise" }));
  return make("div", { className: "tests" }, rows, make("div", { className: "row" }, joiner, more), other,
    draft.other.length ? [stepsParts(draft.other, "else", 0), make("p", { className: "row" }, alsoButton("else"))] : null);
}

function testRow(draft, test, i) {
  const { terms } = book.speaker, term = terms.find((t) => t.name === test.term);
  const put = (change) => { Object.assign(test, change); showComposer(); };
  const sized = ["number", "rank"].includes(term.kind), flag = term.kind === "flag";
  const which = select(terms.map((t) => [t.name, t.name]), test.term, (v) => put({ ...freshTest(), term: v, op: ["number", "rank"].includes(terms.find((t) => t.name === v).kind) ? "at least" : "is" }));
  const control = make("input", { type: "text", id: `test-${i}`, value: test.value, autocomplete: "off", inputMode: "decimal", oninput: () => put({ value: control.value.trim() }) });
  const peers = terms.filter((t) => sized && t !== term && !t.of && t.kind === term.kind && String(t.values) === String(term.values)).map((t) => [`@${t.name}`, t.name]);
  const chosen = test.peer ? `@${test.peer}` : test.value, values = term.values?.length ? [["", "–"], ...term.values.map((v) => [v, v])] : [["", "the number"]];
  const value = term.values?.length || test.peer ? select([...values, ...peers], chosen, (v) => put(v.startsWith("@") ? { peer: v.slice(1), value: "" } : { peer: "", value: v })) : control;
  const against = peers.length && value === control ? select([["", "a number"], ...peers], "", (v) => put({ peer: v.slice(1) })) : null;
  const said = `${test.negated ? "not " : ""}${test.op}`;
  const operations = [...new Set([...(sized ? OPERATIONS : ["is"]), "not is", said])].map((name) => [name, name === "not is" ? "is not" : name]);
  const op = flag ? select([["", "is true"], ["not", "is not true"]], test.negated ? "not" : "", (v) => put({ negated: v === "not" }))
    : select(operations, said, (v) => put({ negated: v.startsWith("not "), op: v.replace("not ", "") }));
  const about = aboutControl(term.of, test, put, `test-of-${i}`);
  [which, op, value, against, about].forEach((each, n) => each?.setAttribute("aria-label", `${["Term", "Comparison", "Value", "Other value", "Subject"][n]} of test ${i + 1}`));
  const gone = button("×", () => { draft.tests.splice(i, 1); draft.tests = draft.tests.length ? draft.tests : null; showComposer(); });
  gone.setAttribute("aria-label", `Remove test ${i + 1}`);
  return make("div", {}, make("div", { className: "test" }, which, about, op, flag ? null : value, flag ? null : against, gone),
    make("small", {}, term.help || ""));
}

// Chooses what a term is about: `C3` of `range of C3`; null for a term that is about nothing in particular.
function aboutControl(kind, test, put, id) {
  if (!kind) return null;
  const { units, contacts } = composer.report, listed = [...(kind === "unit" ? [] : contacts), ...(kind === "contact" ? [] : units)];
  if (kind !== "place") return select([["", "–"], ...listed.map(({ id }) => [id, id])], test.of, (of) => put({ of }), { id });
  const control = make("input", { type: "text", id, value: test.of, autocomplete: "off", autocapitalize: "characters", oninput: () => put({ of: control.value.trim() }) });
  return control;
}

const actionsText = (steps) => steps.map(({ plan, args }) => book.speaker.showAction({ verb: plan.verb, args })).join(" also ");

function testText({ term, of, negated, op, value, peer }) {
  const flag = book.speaker.terms.find((t) => t.name === term).kind === "flag", left = `${term} ${of}`.trim();
  return (negated ? "not " : "") + (flag ? left : `${left} ${op} ${peer || value}`.trim());
}

function lineOfDraft(draft) {
  const other = draft.other.length ? ` else ${actionsText(draft.other)}` : "";
  const when = draft.tests ? `if ${draft.tests.map(testText).join(` ${draft.joiner} `)} then ` : draft.trigger ? "then " : "";
  const trigger = draft.trigger ? `when ${draft.trigger} ` : "";
  return `${draft.scope}${composer.actor}: ${trigger}${when}${actionsText(draft.does)}${draft.tests ? other : ""};`;
}

// The whole text with this order in it, and the problems of the order.
function judgedDraft(draft) {
  const line = lineOfDraft(draft), conditional = Boolean(draft.tests || draft.trigger);
  const instead = draft.instead ? [draft.instead] : draft.trigger ? [] : supersedes(composer.actor, draft.scope, draft.does[0].plan.verb, conditional);
  const left = textWithout(instead), base = left === null ? book.text : left;
  const text = textWith(base, line, composer.actor, draft.scope, conditional, left === null ? [] : instead);
  const found = book.speaker.checkLines(text), at = text.split("\n").indexOf(line) + 1;
  const order = found.orders.find((o) => o.line === at && sameHead(o, composer.actor, draft.scope));
  return { text, line, order, problems: found.problems.filter((p) => p.line === at), instead: left === null ? [] : instead };
}

function preview(draft) {
  const judged = judgedDraft(draft), bad = judged.problems;
  const take = () => {
    const { actor } = composer;
    write(judged.text, [...book.seen, actor]);
    choose(draft.instead || judged.order.standing || judged.order.turn !== null ? "" : nextAfter(actor));
    say(judged.line);
  };
  composer.ready = bad.length || !judged.order ? null : take;
  const add = button(draft.instead ? "Change the order" : "Add the order", take, { id: "add", className: "main", disabled: !composer.ready });
  const gone = judged.instead.map((o) => o.text).filter((text) => `${text};` !== judged.line);
  return make("div", { className: "preview" }, make("code", { id: "draft" }, judged.line),
    judged.order?.note ? make("small", {}, judged.order.note) : null,
    bad.slice(0, 2).map((p) => make("p", { className: p.code === "missing-argument" ? "quiet" : "fault" }, `${p.text}${p.rule ? ` (${p.rule})` : ""}${p.hint ? `; ${p.hint}` : ""}`)),
    gone.length ? make("small", {}, `replaces: ${gone.join("; ")}`) : null,
    make("p", { className: "row" }, add, button("Cancel", () => choose(composer.actor), { id: "leave" })));
}
