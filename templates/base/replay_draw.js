// Drawing tools for the board, its marks and the layers below them.

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 7;
let [LEFT, TOP, WIDE, HIGH] = D.board.frame, PITCH = D.board.pitch;

function el(name, attrs, ...inside) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attrs)) e.setAttribute(key, value);
  e.append(...inside);
  return e;
}

const colour = (side) => (side ? `var(--side${side})` : "var(--neutral)");
// Where a mark stands: those of a stack are farther apart where marks are larger.
const lifted = (g, scale) => +g.dataset.y + scale * (g.dataset.lift || 0);

const line = (points) => `M${points.map((p) => p.join(" ")).join("L")}`;

function cell(at) {
  const own = D.shape.own && D.shape.own[D.points.indexOf(at)];
  return `${line(own || D.shape.every.map(([x, y]) => [at[0] + x, at[1] + y]))}Z`;
}

// The enemy has the colour of the other side, if there is only one other side.
const enemy = (side) => (D.sides.length === 2 ? colour(3 - side) : "var(--foe)");

function node(tag, text, cls) {
  const e = document.createElement(tag);
  if (text) e.textContent = text;
  if (cls) e.className = cls;
  return e;
}
