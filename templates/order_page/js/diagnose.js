// Orders that parse but cannot be accepted (orders/diagnose.py). Every message comes from the sender's
// own words, his own report and the public board.

import { some } from "./cursor.js";
import { locate } from "./reading.js";

const ALWAYS = 0, FIRST = 1, THEN = 2, LAST = 3;

// The reading with a diagnostic in place of each order that cannot be accepted. Verbs must be in the
// unit's menu; the values that the menu lists bind only orders for now. own: the game's functions,
// check: (order, seen) -> problem or null; after: (order, seen) -> the report as the order leaves it
// for the others, null if it changes nothing; beside: (order, others, seen) -> what is wrong with it beside
// others that stand already. `seen` without a value is the report.
export function judge(reading, report, own) {
  const came = world(report), all = inPhases(reading, came, own);
  const changing = all.filter((one) => one.phase <= FIRST).flatMap(({ order }) => [...order.actions, ...order.otherwise]);
  const made = new Set(changing.flatMap((action) => Object.values(action.args)));
  const told = { reading, check: own.check, made };
  const worlds = worldsOf(told, own, came), stand = standingOf(reading.once, own);
  const kept = [], diagnostics = [...reading.diagnostics];
  for (const one of all) {
    const { order, place } = one, [problem, by] = worlds.fault(order, place);
    const fault = problem || stand.fault(order, place, by.seen);
    if (fault) {
      if (!superseded(told, came, order, place)) diagnostics.push(locate(reading.unit, fault, fault.rule));
      continue;
    }
    kept.push({ ...one, by });
    stand.add(order);
    if (one.phase <= FIRST) worlds.carryOut(order);
  }
  kept.sort((a, b) => (a.phase === LAST) - (b.phase === LAST) || a.i - b.i);
  diagnostics.sort((a, b) => a.line - b.line || a.column - b.column);
  return { ...reading, orders: kept.map((k) => k.order), places: kept.map((k) => k.place),
    seen: kept.map((k) => k.by.seen), leaves: worlds.leaves(), diagnostics };
}

// The orders as they are judged: first what changes something for the others, standing orders before those of the turn;
// last the lines of the form that others may contradict.
function inPhases(reading, came, own) {
  const all = reading.orders.map((order, i) => {
    const place = reading.places[i], changes = soon(order, came.report.turn) && own.after(order);
    const weak = excluded(reading.once, order, reading.orders) && ofForm(reading, came, order, place);
    return { order, place, i, phase: changes ? order.standing ? ALWAYS : FIRST : weak ? LAST : THEN };
  });
  return all.sort((a, b) => a.phase - b.phase);
}

// The two cases by which orders of a set are judged: what those carried out before leave if no condition holds (sure),
// and if each does (maybe).
function worldsOf(told, own, came) {
  let sure = came, maybe = came;
  return {
    leaves: () => sure.report,
    // What is wrong with an order in both cases; the case in which it stands.
    fault(order, place) {
      const problem = faultOf(told, sure, order, place);
      return problem && maybe !== sure && !faultOf(told, maybe, order, place) ? [null, maybe] : [problem, sure];
    },
    // An order stands that changes something for those after it.
    carryOut(order) {
      const binds = !order.when && !order.standing, both = maybe === sure && binds;
      if (binds) sure = left(own, order, sure);
      maybe = both ? sure : left(own, order, maybe);
    },
  };
}

// The orders of a set that stand already and have no condition, by the time that they are for.
function standingOf(once, own) {
  const byTime = new Map(), at = (order) => byTime.get(timeOf(order)) || [];
  return {
    add: (order) => order.when || byTime.set(timeOf(order), [...at(order), order]),
    // What is wrong with an order beside these.
    fault(order, place, seen) {
      const others = at(order);
      return others.length ? contradiction(once, others, order, place)
        || placed(own.beside(order, others, seen), place) : null;
    },
  };
}

// Is what stands there a line of the form as it came, for this turn as all of them are?
function ofForm(reading, came, order, place) {
  if (order.standing || order.turn !== null) return false;
  const line = (said) => (said.trim().toUpperCase().replace(/;$/, "").match(/[A-Z0-9_]+|[^A-Z0-9_\s]/g) || []).join(" ");
  const text = reading.unit.chars.slice(place.actor.start, place.order.end).join("");
  return (came.report.suggest || []).map(line).includes(line(text));
}

// Is it a line of the form, which could stand if there were no other orders? It is left out.
function superseded(told, came, order, place) {
  return ofForm(told.reading, came, order, place) && !faultOf({ ...told, made: new Set() }, came, order, place);
}

// Is there another order for the same time of a verb that excludes one of this order?
function excluded(once, order, others) {
  return others.some((other) => other !== order && other.actor === order.actor && timeOf(other) === timeOf(order)
    && order.actions.some((one) => other.actions.some((action) => exclude(once.get(one.verb), once.get(action.verb)))));
}

// Do verbs with these words exclude each other? They do if they share one.
function exclude(one = "", other = "") {
  return one.split(" ").some((word) => word && other.split(" ").includes(word));
}

// Is it carried out in this turn, if a condition does not forbid it?
function carriedOut(order, turn) {
  return !order.standing && !order.trigger && (order.turn === null || order.turn === turn);
}

// The same, or a standing order, if this turn's orders leave room for it?
function soon(order, turn) {
  return carriedOut(order, turn) || (order.standing && !order.trigger);
}

// What orders are judged by: the report as other orders of the set leave it. seen: as `after` gave it.
function world(report, seen) {
  const menu = new Map(Object.entries(report.menu || {}).map(([a, items]) => [a, allowed(items)]));
  const forces = new Map((report.units || []).map((unit) => [unit.id, unit.force]));
  return { report, seen, menu, forces };
}

function left(own, order, by) {
  const seen = own.after(order, by.seen);
  return seen && seen !== by.seen ? world(own.plain(seen), seen) : by;
}

function faultOf(told, by, order, place) {
  const past = pastFault(by.report, order, place);
  if (past) return past;
  const offered = menuFault(told, by, order, place);
  return offered ? reasoned(told, by, order, offered) : gameFault(told.check, by.seen, order, place);
}

// What the menu does not offer, with the game's own reason and rule where its checker has one. What
// the force of a unit may be ordered is left to it.
function reasoned(told, by, order, fault) {
  const known = by.menu.has(order.actor) || by.forces.has(order.actor);
  const led = by.menu.get(by.forces.get(order.actor)) || new Map();
  const own = known && ![...order.actions, ...order.otherwise].some((action) => led.has(action.verb));
  const problem = own ? told.check(order, by.seen) : null;
  if (!problem) return fault;
  return { ...fault, text: problem.text, hint: problem.hint || fault.hint, rule: problem.rule };
}

// verb -> argument -> values allowed now; an empty list if the board decides.
function allowed(items) {
  return new Map(items.map((item) => [item.verb,
    new Map((item.args || []).map((arg) => [arg.name, arg.values || []]))]));
}

// An order for a turn that is over.
function pastFault(report, order, place) {
  if (order.turn === null || !Number.isInteger(report.turn) || order.turn >= report.turn) return null;
  return { code: "past-turn", text: `turn ${order.turn} is over`, ...place.actor,
    hint: `turn ${report.turn} is being played` };
}

function menuFault(told, by, order, place) {
  if (order.standing || order.turn !== null || order.trigger) return null;
  const verbs = by.menu.get(order.actor);
  if (!verbs) {
    const declared = told.reading.declared.includes(order.actor);
    if (declared && !told.made.has(order.actor)) return null;
    const why = declared ? ": no order that can stand makes it" : "";
    return { code: "not-now", text: `${order.actor} cannot be given orders now${why}`, ...place.actor };
  }
  const actions = [...order.actions, ...order.otherwise];
  for (const [i, action] of actions.entries()) {
    const said = place.actions[i], listed = verbs.get(action.verb);
    if (!listed) return unoffered(by, order, action, said, verbs);
    const fault = order.when ? null : valueFault(action, said, listed);
    if (fault) return fault;
  }
  return null;
}

// A verb that the unit is not offered; a unit of a force does as the force does.
function unoffered(by, order, action, said, verbs) {
  const text = `${order.actor} cannot be given '${action.verb}' now`;
  const listed = [...verbs.keys()].join(", "), force = by.forces.get(order.actor);
  if (force && by.menu.get(force)?.has(action.verb)) {
    return { code: "not-now", text: `${text}: it is in ${force}`, ...said.verb,
      hint: `leave it out, or write '${force}: ${action.verb} ...'; orders of its own: ${listed}` };
  }
  return { code: "not-now", text, ...said.verb, hint: `orders: ${listed}` };
}

// A value that the menu does not offer for this argument, or any for an argument that it leaves out.
function valueFault(action, said, listed) {
  for (const [name, value] of Object.entries(action.args)) {
    const values = listed.get(name) || [];
    for (const [i, item] of [value].flat().map(String).entries()) {
      if (listed.has(name) && (!values.length || values.includes(item))) continue;
      return { code: "not-now", text: `'${action.verb}' is not possible with ${item} now`,
        ...spotOf(said, name, i), hint: values.length ? `possible now: ${some(values)}` : "leave it out" };
    }
  }
  return null;
}

const gameFault = (check, seen, order, place) => placed(check(order, seen), place);

// What is wrong, where it stands.
function placed(problem, place) {
  if (!problem) return null;
  const said = place.actions.find((each) => problem.arg in each.args);
  const span = said ? spotOf(said, problem.arg, problem.item) : place.order;
  return { code: problem.code, text: problem.text, ...span, hint: problem.hint, rule: problem.rule };
}

// An order that can never be carried out, because the same actor has one for the same time that binds
// without a condition, of verbs that exclude each other.
function contradiction(once, others, order, place) {
  for (const other of others) {
    if (other.actor !== order.actor) continue;
    for (const [i, action] of order.actions.entries()) {
      for (const rival of other.actions) {
        if (!exclude(once.get(action.verb), once.get(rival.verb)) || alike(action, rival)) continue;
        return { code: "contradiction", ...place.actions[i].verb,
          text: `'${wordsOf(action)}' contradicts '${wordsOf(rival)}', which ${order.actor}`
            + " is ordered in this set already",
          hint: "leave one of them out, or put the one with a condition first" };
      }
    }
  }
  return null;
}

const timeOf = (order) => JSON.stringify([order.standing, order.turn, order.trigger || ""]);

const sorted = (args) => JSON.stringify(Object.entries(args).sort());
const alike = (one, other) => one.verb === other.verb && sorted(one.args) === sorted(other.args);

const wordsOf = (action) => [action.verb, ...Object.values(action.args).flat()].join(" ");

function spotOf(said, arg, item) {
  const spans = said.args[arg]?.length ? said.args[arg] : [said.verb];
  return spans[Math.min(Math.max(item, 0), spans.length - 1)];
}
