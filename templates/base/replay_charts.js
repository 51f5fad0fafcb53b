// Several charts: which one shows, the switch, and what stands on the further ones.

const CHARTS = D.charts || [], BOARDS = [...document.querySelectorAll("#map > .board")];
const MAIN = { frame: D.board.frame, pitch: D.board.pitch, shape: D.shape };
let wanted = 0, drawnOn = "0", step = 0, stepsOf = "";

// What each side has on a further chart in a window; null for a side without it.
const layers = (i, v, c) => D.frames[i].b[c - 1].filter((_, n) => !v || n === v - 1);
const offered = (i, v, c) => !c || layers(i, v, c).some(Boolean);
const current = (i, v) => (offered(i, v, wanted) ? wanted : 0);

// The part of a further chart's board that shows: of the truth, all that the sides see.
function part(i, v, c) {
  const all = layers(i, v, c).filter(Boolean).map((l) => l.v || CHARTS[c].frame);
  const side = (n, sum, pick) => pick(...all.map((r) => (sum ? r[n] + r[n + 2] : r[n])));
  const west = side(0, 0, Math.min), north = side(1, 0, Math.min);
  return [west, north, side(0, 1, Math.max) - west, side(1, 1, Math.max) - north];
}

// The rounds and tables of a view's chart, by side; null for a side without them.
const below = (i, v, c) => ((D.frames[i].z || [])[c] || []).map((one, n) => (!v || n === v - 1 ? one : null));
const rounds = (i, v, c) => below(i, v, c).find((one) => one && one.r.length)?.r || [];

// The buttons of the rounds of a fight; the window shows it whole until one is pressed.
function offerRounds(i, v, c) {
  const all = rounds(i, v, c);
  if (stepsOf !== `${i} ${c}`) step = 0;
  stepsOf = `${i} ${c}`;
  EXTRA.fought = all.length > 0;
  step = Math.min(step, all.length);
  $("rounds").replaceChildren(...(all.length ? ["All rounds", ...all.map(([title]) => D.text[title])] : []).map((title, n) => {
    const b = node("button", title);
    b.setAttribute("aria-pressed", n === step);
    b.addEventListener("click", () => { toRound(n); $("rounds").children[n].focus(); });
    return b;
  }));
  if (step) $("pick").textContent = D.text[all[step - 1][1]];
  $("sheet").replaceChildren(...below(i, v, c).flatMap((one, n) => (one && one.t ? sheetOf(one, v, n + 1) : [])));
}

function toRound(n) {
  step = n;
  EXTRA.show();
}

// A table of record sheets: of the truth each side's own, with the boxes that are left and lost.
function sheetOf({ k, t }, v, side) {
  const table = node("table"), head = node("tr"), ours = t.filter(([owner]) => v || owner === "own");
  head.append(node("th", v ? "" : D.sides[side - 1].name), ...k.map((name) => node("th", D.text[name])));
  table.append(head, ...ours.map(([owner, name, struck, cells]) => {
    const row = node("tr", "", struck ? "struck" : ""), of = D.sides.length === 2 && owner === "enemy" ? 3 - side : side;
    row.append(node("th", D.text[name], `k${of}`), ...cells.map((cell) => {
      if (!Array.isArray(cell)) return node("td", D.text[cell]);
      const td = node("td", "■".repeat(cell[0] - cell[1]) || (cell[0] ? "" : "–"), `k${of}`);
      td.append(node("s", "□".repeat(cell[1])));
      td.setAttribute("aria-label", `${cell[0] - cell[1]} of ${cell[0]} boxes left`);
      return td;
    }));
    return row;
  }));
  return table;
}

function choose(i, v) {
  const c = current(i, v), frame = c ? part(i, v, c) : MAIN.frame;
  for (const [n, b] of [...$("charts").children].entries()) {
    b.setAttribute("aria-pressed", n === c);
    b.disabled = !offered(i, v, n);
  }
  EXTRA.on = c;
  offerRounds(i, v, c);
  if (drawnOn === `${c} ${frame}`) return;
  const switched = Number(drawnOn.split(" ")[0]) !== c;
  drawnOn = `${c} ${frame}`;
  [LEFT, TOP, WIDE, HIGH] = frame;
  PITCH = c ? CHARTS[c].pitch : MAIN.pitch;
  D.shape = c ? CHARTS[c].shape : MAIN.shape;
  BOARDS.forEach((g, n) => g.setAttribute("display", n === c ? "inline" : "none"));
  shape();
  PRINTED = printed();
  EXTRA.size = c ? 0.85 : 0.6;
  if (switched) begin();
  $("charts").scrollLeft = $("charts").children[c].offsetLeft - 6;
}

// What a view shows on the chosen chart. The truth shows the units of all sides there.
function viewOf(i, v, view) {
  const c = current(i, v);
  if (!c) return view;
  if (step) return { ...view, units: [], contacts: [], searched: [], found: [], night: -1, fog: [] };
  const all = layers(i, v, c).map((l, n) => [v || n + 1, l]).filter(([, l]) => l), [, first] = all[0];
  return { units: all.flatMap(([, l]) => l.u.map(unitOf)),
    contacts: v ? first.c.map((row) => contactOf(row, v)) : [],
    searched: v ? pointsOf(first.s) : [], found: v ? pointsOf(first.h) : [], night: first.n, fog: pointsOf(first.d) };
}

function switchTo(c) {
  wanted = (c + CHARTS.length) % CHARTS.length;
  EXTRA.show();
}

if (CHARTS.length) {
  EXTRA.chart = current;
  EXTRA.choose = choose;
  EXTRA.view = viewOf;
  EXTRA.rows = (i, v) => {
    const c = EXTRA.on;
    return c ? layers(i, v, c).filter(Boolean).flatMap((l) => l.u) : D.frames[i].u[v];
  };
  EXTRA.hash = () => (wanted ? `&c=${CHARTS[wanted].name}` : "");
  EXTRA.follow = (name) => { wanted = Math.max(CHARTS.findIndex((c) => c.name === name), 0); };
  EXTRA.round = (i, c) => step && below(i, 0, c).map((one) => (one && one.r[step - 1] ? one.r[step - 1][2] : []));
  EXTRA.keys[","] = () => toRound(Math.max(step - 1, 0));
  EXTRA.keys["."] = () => toRound(step + 1);
  EXTRA.advance = () => step < rounds(state.i, state.v, EXTRA.on || 0).length && (toRound(step + 1), true);
  EXTRA.keys.c = () => switchTo(wanted + 1);
  CHARTS.forEach((chart, n) => {
    const b = document.createElement("button");
    b.textContent = chart.caption;
    b.title = `${chart.caption} (c)`;
    b.addEventListener("click", () => switchTo(n));
    $("charts").append(b);
  });
}
