// Elements of the page, made without markup: no text of a report can become a tag.

export const SVG_SPACE = "http://www.w3.org/2000/svg";
export const byId = (id) => document.getElementById(id);

function fitted(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !(element instanceof SVGElement)) element[name] = value;
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  return element;
}

export function make(tag, props = {}, ...inside) {
  const element = fitted(document.createElement(tag), props);
  element.append(...inside.flat(Infinity).filter((part) => part !== null && part !== undefined && part !== false));
  return element;
}

export function draw(tag, props = {}, ...inside) {
  const element = fitted(document.createElementNS(SVG_SPACE, tag), props);
  element.append(...inside);
  return element;
}

export const button = (text, onclick, props = {}) => make("button", { type: "button", onclick, ...props }, text);

// A choice of one of several, as toggle buttons: [[value, words], ...].
export function choice(label, options, chosen, take) {
  const row = make("div", { className: "row", role: "group" });
  row.setAttribute("aria-label", label);
  row.append(...options.map(([value, words, more]) => {
    const one = button(words, () => take(value));
    one.setAttribute("aria-pressed", Array.isArray(chosen) ? chosen.includes(value) : value === chosen);
    if (more) one.title = more;
    return one;
  }));
  return row;
}

// A control with its label above it.
export function named(label, control) {
  control.id = control.id || `c${byNumber()}`;
  return make("div", { className: "field" }, make("label", { htmlFor: control.id }, label), control);
}

const byNumber = ((n) => () => { n += 1; return n; })(0);

export function select(options, chosen, take, props = {}) {
  const control = make("select", { ...props, onchange: () => take(control.value) },
    options.map(([value, words]) => make("option", { value, selected: value === chosen }, words)));
  return control;
}

// Nothing is redrawn under a finger: a control that is replaced between press and release gets no click. What is
// to change meanwhile changes once the click is over.
const press = { held: false, after: new Map() };

// Calls `act` as soon as no finger is down; of several calls with one name only the last.
export function unheld(name, act) {
  if (press.held) press.after.set(name, act);
  else act();
}

function release() {
  if (!press.held) return;
  press.held = false;
  const waiting = [...press.after.values()];
  press.after.clear();
  for (const act of waiting) act();
}

addEventListener("pointerdown", () => { press.held = true; }, true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => setTimeout(release), true);
addEventListener("click", release, true);

// Redraws a part of the page and keeps the focus on the element with the same id or text.
export function redraw(parent, ...inside) {
  unheld(parent, () => redrawn(parent, inside));
}

function redrawn(parent, inside) {
  const active = document.activeElement, inner = parent.contains(active);
  const key = inner ? active.id || active.textContent : "", tag = inner ? active.tagName : "";
  const place = inner && tag === "INPUT" ? [active.selectionStart, active.selectionEnd] : null;
  parent.replaceChildren(...inside.flat(Infinity).filter(Boolean));
  if (!inner || parent.contains(document.activeElement)) return;
  const again = [...parent.querySelectorAll(tag)].find((e) => (e.id || e.textContent) === key);
  if (!again) return;
  again.focus({ preventScroll: true });
  if (place && place[0] !== null) again.setSelectionRange(...place);
}

// Marks the page while the player types, so that a phone's chart does not lie over the field. The mark goes with
// the finger, not with the focus: else the chart would slide under a finger that presses a button.
export function watchTyping() {
  const set = () => document.body.classList.toggle("typing", Boolean(document.activeElement?.matches("input[type=text], input[type=password], textarea")));
  for (const kind of ["focusin", "focusout"]) document.addEventListener(kind, () => unheld(set, () => setTimeout(set)));
}
