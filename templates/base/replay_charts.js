// Several charts: which one shows, the switch, and what stands on the further ones.

const CHARTS = D.charts || [], BOARDS = [...document.querySelectorAll("#map > .board")];
const MAIN = { frame: D.board.frame, pitch: D.board.pitch, shape: D.shape };
let wanted = 0, drawnOn = "0";

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

function choose(i, v) {
  const c = current(i, v), frame = c ? part(i, v, c) : MAIN.frame;
  for (const [n, b] of [...$("charts").children].entries()) {
    b.setAttribute("aria-pressed", n === c);
    b.disabled = !offered(i, v, n);
  }
  EXTRA.on = c;
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
  EXTRA.keys.c = () => switchTo(wanted + 1);
  CHARTS.forEach((chart, n) => {
    const b = document.createElement("button");
    b.textContent = chart.caption;
    b.title = `${chart.caption} (c)`;
    b.addEventListener("click", () => switchTo(n));
    $("charts").append(b);
  });
}
