// The page: the window, the view, and the lists beside the board.

const LAST = D.frames.length - 1;
const state = { i: 0, v: 0, hash: null };
let timer = 0;

function fill(id, nodes, none) {
  $(id).replaceChildren(...(nodes.length ? nodes : none ? [node($(id).tagName === "DIV" ? "p" : "li", none, "none")] : []));
}

const count = (id, n) => { $(`n-${id}`).textContent = n ? `(${n})` : ""; };
const audience = (to) => (to.length === D.sides.length ? "told to all"
  : to.length ? `told to ${to.map((n) => within(D.sides[n - 1].name)).join(", ")}` : "told to nobody");

function eventNode(e) {
  const li = node("li", e.text, e.to.length === 1 ? `s${e.to[0]}` : e.to.length ? "" : "hidden");
  const more = [e.why, e.rule && `rule ${e.rule}`, state.v ? "" : audience(e.to)].filter(Boolean).join(" · ");
  if (more) li.append(node("small", more));
  return li;
}

function contactNode(c) {
  const li = node("li", called(c), D.sides.length === 2 ? `s${3 - c.side}` : "");
  li.dataset.id = c.id;
  li.append(node("small", [c.place, c.note].filter(Boolean).join(", ")));
  return li;
}

function unitRows(units) {
  const rows = [];
  let side = -1;
  for (const u of [...units].sort((a, b) => (a.side || 9) - (b.side || 9))) {
    if (u.side !== side) {
      const head = node("tr", "", `side s${u.side}`), cell = node("td", u.side ? D.sides[u.side - 1].name : "Others");
      cell.colSpan = 3;
      head.append(cell);
      rows.push(head);
      side = u.side;
    }
    const row = node("tr", "", "unit-row");
    row.dataset.id = u.id;
    row.dataset.side = u.side;
    row.append(node("td", u.name), node("td", u.type), node("td", u.place));
    rows.push(row);
  }
  return rows;
}

function orderNodes(orders) {
  return orders.flatMap((o) => [
    node("h4", D.sides[o.side - 1].name, `k${o.side}`),
    o.lines === null ? node("p", "no orders arrived", "none") : node("pre", o.lines.join("\n") || "nothing ordered"),
  ]);
}

function rollNode(r) {
  const li = node("li"), shown = node("div");
  for (const die of r.dice) shown.append(node("span", String(die), "die"));
  shown.append(r.label);
  li.append(shown, node("small", state.v ? "" : audience(r.to)));
  if (r.proof) {
    const more = node("details");
    more.append(node("summary", "proof (base64)"), node("code", r.proof));
    li.append(more);
  }
  return li;
}

function proved() {
  if (D.dice !== "fast" && D.dice !== "strict") return `This game had ${D.dice} dice, which have no proofs.`;
  return D.proofs ? "Each roll has a proof that anybody can check." : "The proof of each roll is in the bundle.";
}

function show() {
  const f = D.frames[state.i], view = seen(state.i, state.v), side = D.sides[state.v - 1];
  const facts = view.facts.map(([name, value]) => {
    const div = node("div");
    div.append(node("dt", name), node("dd", value));
    return div;
  });
  $("turn").textContent = D.text[f.label];
  $("who").textContent = NAMES[state.v];
  $("who").className = state.v ? `k${state.v}` : "";
  fill("facts", facts);
  fill("acts", view.acts.map(eventNode));
  fill("events", view.events.map(eventNode), f.closed || state.i ? "no events" : "the game begins");
  $("known").hidden = !state.v;
  fill("contacts", view.contacts.map(contactNode), "no contacts");
  $("units").tBodies[0].replaceChildren(...unitRows(view.units));
  fill("orders", orderNodes(view.orders), "none yet");
  fill("rolls", view.rolls.map(rollNode), "no dice rolled");
  $("proved").textContent = view.rolls.length ? proved() : "";
  count("events", view.events.length);
  count("contacts", view.contacts.length);
  count("units", view.units.length);
  count("orders", view.orders.reduce((n, o) => n + (o.lines ? o.lines.length : 0), 0));
  count("rolls", view.rolls.length);
  $("slider").value = state.i;
  $("slider").setAttribute("aria-valuetext", `window ${f.w}, ${D.text[f.label]}`);
  $("when").textContent = `Window ${f.w} of ${D.frames[LAST].w} · ${D.text[f.label]}`;
  $("map").setAttribute("aria-label", `The board as window ${f.w} opens: ${side ? side.name : "the truth"}`);
  $("pick").textContent = state.i === LAST ? "The end of the game" : "Choose a counter to see who is there";
  for (const b of $("views").children) b.setAttribute("aria-pressed", Number(b.dataset.v) === state.v);
  EXTRA.choose(state.i, state.v);
  drawBoard(state.i, state.v, EXTRA.view(state.i, state.v, view));
  EXTRA.glide(state.i, state.v);
  EXTRA.chance(state.i);
  const hash = `#w=${f.w}&v=${side ? side.id : "truth"}${EXTRA.hash()}`;
  state.hash = hash;
  if (location.hash !== hash) location.replace(hash);
}

function go(i, v = state.v) {
  state.i = Math.min(Math.max(i, 0), LAST);
  state.v = v >= 0 && v <= D.sides.length ? v : state.v;
  show();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  $("play").textContent = "Play";
  $("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (timer) return stop();
  if (state.i === LAST) go(0);
  $("play").textContent = "Pause";
  $("play").setAttribute("aria-pressed", "true");
  timer = setInterval(() => EXTRA.advance() || (state.i === LAST ? stop() : go(state.i + 1)), 900);
}

// #w=14&v=british: if there is no such window, the one before it.
function follow() {
  if (location.hash === state.hash) return; // the page itself wrote it
  const asked = new URLSearchParams(location.hash.slice(1)), w = Number(asked.get("w")), name = asked.get("v");
  const side = D.sides.findIndex((s) => s.id === name) + 1;
  EXTRA.follow(asked.get("c"));
  const i = asked.has("w") ? D.frames.filter((f) => f.w <= w).length - 1 : state.i;
  go(i, asked.has("v") ? side : state.v);
}

// Keys that are no characters work everywhere.
const KEYS = {
  ArrowLeft: () => go(state.i - 1), ArrowDown: () => go(state.i - 1),
  ArrowRight: () => go(state.i + 1), ArrowUp: () => go(state.i + 1),
  Home: () => go(0), End: () => go(LAST),
};
Object.assign(EXTRA.keys, { "+": () => nearer(1.5), "-": () => nearer(1 / 1.5), " ": play });
for (let v = 0; v <= Math.min(D.sides.length, 8); v += 1) EXTRA.keys[v + 1] = () => go(state.i, v);

// Single characters are keys only by the chart, the graph and the bar, and where nothing has the focus. Who speaks to a
// computer is heard as letters, and turns them off (WCAG 2.1.4).
const single = (e) => $("single").checked && (e.target === document.body || e.target.closest("#chart, #chances, nav"));

window.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === " " && e.target.matches("button, summary, input[type=checkbox]")) return; // it presses or switches these
  if (/^Arrow(Up|Down)$/.test(e.key) && e.target !== $("slider")) return; // they scroll the page
  const act = KEYS[e.key] || (single(e) && EXTRA.keys[e.key]);
  if (!act) return;
  act();
  e.preventDefault();
});

// Storage is a convenience; a browser may refuse it.
const SINGLE = "pbem replay single keys";
try {
  $("single").checked = localStorage.getItem(SINGLE) !== "off";
} catch { /* the keys are on */ }
$("single").addEventListener("change", () => {
  try {
    localStorage.setItem(SINGLE, $("single").checked ? "on" : "off");
  } catch { /* the switch holds for this visit */ }
});

["Truth", ...D.sides.map((s) => s.name)].forEach((name, v) => {
  const b = node("button", name);
  b.dataset.v = v;
  b.title = `${NAMES[v]} (${v + 1})`;
  b.addEventListener("click", () => go(state.i, v));
  $("views").append(b);
});
$("slider").max = LAST;
$("slider").addEventListener("input", () => go(Number($("slider").value)));
$("back").addEventListener("click", () => go(state.i - 1));
$("next").addEventListener("click", () => go(state.i + 1));
$("play").addEventListener("click", play);
$("in").addEventListener("click", () => nearer(1.5));
$("out").addEventListener("click", () => nearer(1 / 1.5));
window.addEventListener("resize", fit);
window.addEventListener("hashchange", follow);
drag($("map"));
EXTRA.show = show;
EXTRA.go = go;
// What is of no use without a script is hidden until one runs.
for (const one of document.querySelectorAll("nav, aside, .below, footer p")) one.hidden = false;
begin();
follow();
