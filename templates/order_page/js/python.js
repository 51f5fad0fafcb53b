// Operations of Python for checks that pbem/translate makes into JavaScript: truth, equality, order,
// indices and text mean here what they mean there. A list or tuple is an Array, a dict a Map, a set a
// Set, None is null. No name of translated code begins with `$`.

// Values with fields. Of its classes, static f: names of the fields; d: defaults; c: what becomes of
// the JSON data of a field.
class $Struct {
  static c = {};
  constructor(...values) {
    const { f, d } = new.target;
    f.forEach((name, i) => { this[name] = values[i] === undefined ? d[name] : values[i]; });
  }
}

// A class of values. fields: their names; d: defaults.
function $struct(fields, d, base = $Struct) {
  const f = fields ? fields.split(" ") : [];
  return class extends base { static f = f; static d = d; };
}

class $Error {
  constructor(text = "") {
    this.$text = text;
  }
}

// House rules that this page does not have decide: the referee will judge.
class $Unknown {}

function $fail(text) {
  throw new TypeError(text);
}

// Data of the page (`_packed` in pbem/translate/program.py) as values.
function $value(x, kinds) {
  if (Array.isArray(x)) return x.map((item) => $value(item, kinds));
  if (x === null || typeof x !== "object") return x;
  if (!("$" in x)) return new Map(Object.entries(x).map(([k, v]) => [k, $value(v, kinds)]));
  const values = $value(x.v, kinds);
  if (x.$ === "set") return new Set(values);
  return x.$ === "map" ? new Map(values) : new kinds[x.$](...values);
}

// JSON as Python decodes it. JavaScript moves names like numbers to the front, so their order is lost.
function $json(x) {
  if (Array.isArray(x)) return x.map($json);
  if (typeof x === "number") return $n(x);
  if (x === null || typeof x !== "object") return x;
  const found = new Map(Object.entries(x).map(([k, v]) => [k, $json(v)]));
  found.unsorted = found.size > 1 && [...found.keys()].some((k) => /^(0|[1-9][0-9]*)$/.test(k));
  return found;
}

function $t(x) {
  if (x === null || x === undefined) return false;
  if (Array.isArray(x)) return x.length > 0;
  return x instanceof Map || x instanceof Set ? x.size > 0 : typeof x === "object" || Boolean(x);
}

function $and(a, b) {
  return $t(a) ? b() : a;
}

function $or(a, b) {
  return $t(a) ? a : b();
}

function $eq(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) {
    if (typeof a === "boolean" && typeof b === "number") return Number(a) === b;
    return typeof b === "boolean" && typeof a === "number" ? a === Number(b) : a === b;
  }
  if (a === b) return true;
  if (a.constructor !== b.constructor) return false;
  if (Array.isArray(a)) return a.length === b.length && a.every((x, i) => $eq(x, b[i]));
  if (a instanceof Set) return a.size === b.size && [...a].every((x) => $in(x, b));
  if (a instanceof Map) return a.size === b.size && [...a].every(([k, v]) => $in(k, b) && $eq(v, b.get($key(k))));
  return a instanceof $Struct && a.constructor.f.every((name) => $eq(a[name], b[name]));
}

// Below zero if a comes before b, zero if they are equal.
function $order(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (!$eq(a[i], b[i])) return $order(a[i], b[i]);
    return a.length - b.length;
  }
  if (typeof a === "string" && typeof b === "string") {
    if (a === b) return 0;
    const [x, y] = [Array.from(a), Array.from(b)], i = x.findIndex((c, n) => c !== y[n]);
    return i < 0 ? -1 : y[i] === undefined ? 1 : x[i].codePointAt(0) - y[i].codePointAt(0);
  }
  return $number(a) - $number(b);
}

function $number(x) {
  return typeof x === "boolean" ? Number(x) : $n(x);
}

// A whole number that JavaScript computes with exactly; any other stops the check.
function $n(x) {
  return Number.isSafeInteger(x) ? x : $fail(`${x} is no whole number below 2 ** 53`);
}

function $lt(a, b) {
  return a instanceof Set ? a.size < b.size && $le(a, b) : $order(a, b) < 0;
}

function $le(a, b) {
  return a instanceof Set ? [...a].every((x) => $in(x, b)) : $order(a, b) <= 0;
}

// Keys of Map and Set: what is one key in Python must be one here.
function $key(x) {
  if (typeof x === "boolean") return Number(x);
  return Array.isArray(x) ? $fail("a tuple is no key here") : x;
}

function $in(x, box) {
  if (box instanceof Map || box instanceof Set) return box.has($key(x));
  return typeof box === "string" ? box.includes(x) : $iter(box).some((y) => $eq(x, y));
}

function $chars(s) {
  return /[\ud800-\udfff]/.test(s) ? Array.from(s) : s;
}

function $len(x) {
  return typeof x === "string" ? $chars(x).length : x.size ?? x.length;
}

function $item(x, i) {
  let found;
  if (x instanceof Map) found = x.get($key(i));
  else {
    const all = typeof x === "string" ? $chars(x) : x, at = $number(i);
    found = all[at < 0 ? at + all.length : at];
  }
  return found === undefined ? $fail(`no item ${i}`) : found;
}

function $slice(x, a, b) {
  const all = typeof x === "string" ? $chars(x) : x, cut = all.slice(a ?? 0, b ?? undefined);
  return typeof x === "string" && Array.isArray(cut) ? cut.join("") : cut;
}

// The items of anything in Python's order; a set has no order.
function $iter(x) {
  if (Array.isArray(x)) return x;
  if (x instanceof Set) $fail("a set has no order: sorted() first");
  if (x instanceof Map && x.unsorted) $fail("names like numbers have no order: sorted() first");
  return x instanceof Map ? [...x.keys()] : [...x];
}

// The same one by one, so that a generator runs no further than needed.
function $each(x) {
  return typeof x === "object" && typeof x.next === "function" ? x : $iter(x);
}

function $all(x) {
  return x instanceof Set ? [...x] : x instanceof Map ? [...x.keys()] : $iter(x);
}

function $pairs(x) {
  $iter(x);
  return [...x];
}

function $add(a, b) {
  if (Array.isArray(a)) return [...a, ...$iter(b)];
  return typeof a === "string" && typeof b === "string" ? a + b : $number($number(a) + $number(b));
}

function $sub(a, b) {
  return a instanceof Set ? new Set([...a].filter((x) => !$in(x, b))) : $number(a) - $number(b);
}

function $mul(a, b) {
  return $number($number(a) * $number(b));
}

function $floor(a, b) {
  return $number(b) === 0 ? $fail("division by zero") : Math.floor($number(a) / b);
}

function $mod(a, b) {
  return $number(a) - $floor(a, b) * b;
}

function $union(a, b) {
  return a instanceof Map ? new Map([...a, ...b]) : new Set([...a, ...b]);
}

function $both(a, b) {
  return new Set([...a].filter((x) => $in(x, b)));
}

function $str(x) {
  if (typeof x === "string") return x;
  if (typeof x === "number") return String($number(x));
  if (typeof x === "boolean") return x ? "True" : "False";
  return x === null ? "None" : x instanceof $Error ? $str(x.$text) : $fail("this has no text");
}

function $f(parts, ...values) {
  return parts.reduce((text, part, i) => text + $str(values[i - 1]) + part);
}

function $int(x) {
  if (typeof x !== "string") return $number(x);
  return /^\s*[-+]?[0-9]+\s*$/.test(x) ? $number(Number(x)) : $fail(`${x} is no whole number`);
}

function $set(x = []) {
  return new Set($all(x).map($key));
}

function $map(x = []) {
  return new Map(x instanceof Map ? x : $iter(x).map(([k, v]) => [$key(k), v]));
}

// Of equals the first. key: null for the items themselves.
function $least(items, key, otherwise, sign) {
  const all = $all(items);
  if (!all.length) return otherwise === undefined ? $fail("the least of nothing") : otherwise;
  const keys = key ? all.map((x) => key(x)) : all;
  return all[keys.reduce((best, k, i) => (sign * $order(k, keys[best]) < 0 ? i : best), 0)];
}

function $sorted(items, key = null, down = false) {
  const keyed = $all(items).map((x) => [key ? key(x) : x, x]);
  return keyed.sort(([a], [b]) => (down ? $order(b, a) : $order(a, b))).map(([, x]) => x);
}

function $range(a, b, step = 1) {
  const [from, to] = b === undefined ? [0, a] : [a, b];
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, i) => from + i * step);
}

function $zip(strict, ...all) {
  const rows = all.map($iter), size = Math.min(...rows.map((row) => row.length));
  if (strict && rows.some((row) => row.length > size)) $fail("zip of different lengths");
  return $range(size).map((i) => rows.map((row) => row[i]));
}

function $first(items, otherwise) {
  for (const item of $each(items)) return item;
  return otherwise === undefined ? $fail("there is no next one") : otherwise;
}

// The first item that fits, as `made` makes it; later ones are not looked at.
function $find(items, fits, made, otherwise) {
  for (const item of $each(items)) if (fits(item)) return made(item);
  return otherwise === undefined ? $fail("there is no next one") : otherwise;
}

function $get(x, k, otherwise = null) {
  const found = x.get($key(k));
  return found === undefined ? otherwise : found;
}

function $index(x, item) {
  const at = typeof x === "string" ? $chars(x).indexOf(item) : x.findIndex((y) => $eq(y, item));
  return at < 0 ? $fail(`${item} is not in it`) : at;
}

function $split(s, by) {
  return by === undefined ? s.split(/\s+/).filter(Boolean) : s.split(by);
}

function $title(s) {
  return s.toLowerCase().replace(/[a-z]+/g, (w) => w[0].toUpperCase() + w.slice(1));
}

function $replaced(x, changes) {
  return Object.assign(Object.create(Object.getPrototypeOf(x)), x, changes);
}

// The struct of decoded JSON, or of the text of a row.
function $made(x, kind) {
  if (typeof x === "string") return $row(x.match(/"[^"]*"|[^" ]+/g).map((part) => part.replaceAll('"', "")), kind);
  const made = (name) => {
    const value = x.get(name), convert = kind.c[name];
    return convert && value !== undefined ? convert(value) : value;
  };
  return new kind(...kind.f.map(made));
}

// The struct of the next values of a row, which are taken from it.
function $row(values, kind) {
  const made = (name) => {
    const by = kind.r?.[name];
    return by?.f ? $row(values, by) : by ? by(values.shift()) : values.shift();
  };
  return new kind(...kind.f.map(made));
}

function $replace(s, a, b) {
  return s.replaceAll(a, () => b);
}

function $starts(s, x) {
  return Array.isArray(x) ? x.some((one) => s.startsWith(one)) : s.startsWith(x);
}

function $ends(s, x) {
  return Array.isArray(x) ? x.some((one) => s.endsWith(one)) : s.endsWith(x);
}

function $partial(f, ...a) {
  return (...b) => f(...a, ...b);
}

function $memo(f) {
  const known = new Map();
  return (...args) => {
    const key = JSON.stringify(args);
    if (!known.has(key)) known.set(key, f(...args));
    return known.get(key);
  };
}

// Constants of the checks, and functions that give tables. A table that house rules may replace
// (`by`) is unknown if the report names house rules that the page does not have.
function $values(told, kinds) {
  return told.values.map(({ v, by }) => {
    const value = $value(v, kinds);
    if (!by) return value;
    const known = !by.some((file) => told.unknown.includes(file));
    return () => { if (known) return value; throw new $Unknown(); };
  });
}

// What `SYSTEMS.name` gives: check, note and after, functions of one order and of what it is judged by:
// the report, or what `after` made of it; and beside, of an order and of others of its set as well. An error in them must not keep anybody from writing orders:
// it is reported to the console, and the referee judges.
function $checks(check, note, report, after = () => null, beside = () => null) {
  const whole = $json(report);
  const run = (ask, nothing) => (order, seen) => {
    try {
      return ask($ordered(order), seen || whole);
    } catch (no) {
      if (!(no instanceof $Unknown)) console.error(no);
      return nothing;
    }
  };
  return { check: run(check, null), note: run(note, ""), after: run(after, null), plain: $plain,
    beside: (order, others, seen) => run((one, by) => beside(one, others.map($ordered), by), null)(order, seen) };
}

// Maps as objects, as in the report.
function $plain(x) {
  if (x instanceof Map) return Object.fromEntries([...x].map(([k, v]) => [k, $plain(v)]));
  return Array.isArray(x) ? x.map($plain) : x;
}

// An order as checks read it; each is asked for beside every other.
const $orders = new WeakMap();
function $ordered(order) {
  const deeds = (all) => all.map((one) => ({ ...one, args: $json(one.args) }));
  const read = $orders.get(order) || { ...order, actions: deeds(order.actions), otherwise: deeds(order.otherwise) };
  $orders.set(order, read);
  return read;
}

function $list(x = []) {
  return [...$each(x)];
}

function $enumerate(x, from = 0) {
  return $iter(x).map((item, i) => [i + from, item]);
}

function $reversed(x) {
  return [...$iter(x)].reverse();
}

function $sum(x) {
  return $all(x).reduce((a, b) => $add(a, b), 0);
}

function $each_value(x) {
  return $pairs(x).map(([, v]) => v);
}

function $update(x, more) {
  if (x instanceof Set) $all(more).forEach((item) => x.add($key(item)));
  else $pairs(more).forEach(([k, v]) => x.set(k, v));
}

function $count(x, item) {
  return typeof x === "string" ? x.split(item).length - 1 : x.filter((y) => $eq(y, item)).length;
}

function $ord(s) {
  return s.codePointAt(0);
}

function $chr(n) {
  return String.fromCodePoint(n);
}

function $abs(n) {
  return Math.abs($number(n));
}

function $type(x) {
  return x.constructor;
}

function $loads(text) {
  return $json(JSON.parse(text));
}
