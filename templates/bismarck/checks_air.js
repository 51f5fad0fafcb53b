// 6 Air units, as their owner's report knows them (games/bismarck/air.py).

import { Refused, distance, fly, isAir, pathOf, turnLabel } from "./checks_board.js";
import { wayText } from "./checks_ships.js";

function wingsOf(seen, unit) {
  const modes = Object.keys(unit.reach), base = seen.units.get(unit.base);
  const faces = modes.map((mode) => ({ endurance: unit.endurance[mode], speed: unit.reach[mode] }));
  return { type: unit.type, at: unit.place, base: unit.home, mode: unit.mode,
    front: faces[0], back: faces[1] || null, up: unit.up ?? 0, afloat: Boolean(base && !base.tied) };
}

function faceOf(wings, mode) {
  return wings.back && (mode === "patrol" || mode === "recon") ? wings.back : wings.front;
}

export function flyUnit(seen, actor, action) {
  const unit = seen.units.get(actor);
  if (!unit || !isAir(unit)) {
    throw new Refused("not-an-air-unit", "6.1", `${actor} does not fly`, `${actor}: move`);
  }
  const wings = wingsOf(seen, unit), mode = pickMode(wings, seen.now ? wantedMode(action) : "");
  if (!seen.now) return;
  const ready = unit.ready ?? 0, path = pathOf(action);
  if (ready > seen.turn) {
    throw new Refused("resting", "6.42", `${actor} rests until ${turnLabel(ready)}`);
  }
  if (!wings.up && !path.length) {
    throw new Refused("at-base", "6.1", `${actor} is at its base`, `${actor}: fly`);
  }
  hopsOf(seen, wings, path, mode, action);
}

function wantedMode(action) {
  return action.verb === "patrol" ? "patrol" : action.args.mode || "";
}

// 6.31-6.33 The mode it flies in; a bomber chooses it at take-off.
function pickMode(wings, wanted) {
  const recon = wings.type === "LR recon";
  if (!recon && wings.up) {
    if (wanted && wanted !== wings.mode) {
      throw new Refused("mode-fixed", "6.31", `it took off in ${wings.mode} mode`, "leave out 'mode'");
    }
    return wings.mode;
  }
  const modes = (recon ? ["move", "patrol"] : ["attack", "recon"]).slice(0, wings.back ? 2 : 1);
  if (!wanted || modes.includes(wanted)) return wanted || modes[0];
  const code = wanted === "recon" && !recon ? "no-recon" : "bad-mode";
  throw new Refused(code, "2.434", `it has ${modes.join(" and ")} mode, no ${wanted} mode`, `mode ${modes[0]}`);
}

// 6.11-6.14 Every zone flown through, with gaps filled by the shortest way.
function airRoute(seen, start, path) {
  const way = [];
  let at = start;
  path.forEach((zone, item) => {
    if (seen.side === "german" && distance(at, zone) === 1
      && seen.britain.has(at) && seen.britain.has(zone)) {
      const text = `${at} and ${zone} both hold a part of Great Britain`;
      throw new Refused("over-britain", "6.12", text, "", item);
    }
    const leg = zone === at ? [] : fly(seen, at, zone);
    if (!leg) {
      const known = seen.sea.has(zone) || seen.land.has(zone);
      throw known
        ? new Refused("over-britain", "6.12", `there is no way to ${zone} but over Great Britain`, "", item)
        : new Refused("not-on-map", "6.14", `${zone} is not a zone of the board`, "", item);
    }
    way.push(...leg);
    at = zone;
  });
  return way;
}

// 6.21-6.23 Whether it can still come home from `at`, if its carrier comes to meet it as far as it can.
// up: turns in the air, including this one; used: zones flown this turn.
function homeBy(seen, wings, at, up, used, mode) {
  const way = fly(seen, at, wings.base);
  if (!way) return false;
  const face = faceOf(wings, mode), left = face.endurance - up;
  const cruise = wings.type === "LR recon" ? wings.front.speed : face.speed;
  const meeting = (zones) => (wings.afloat ? zones : 0);
  if (up === 1 && used + way.length - meeting(1) <= face.speed) return true;
  return left > 0 && way.length - meeting(2 * left - (up === 1 ? 1 : 0)) <= cruise * left;
}

// The turns that a flight takes: {step, left: turns it may still stay up, home}.
function hopsOf(seen, wings, path, mode, action) {
  const face = faceOf(wings, mode), hops = [];
  let rest = airRoute(seen, wings.at, path), up = wings.up, at = wings.at;
  while (rest.length || up === wings.up) {
    const step = rest.slice(0, face.speed);
    rest = rest.slice(face.speed);
    up += 1;
    at = step.at(-1) ?? at;
    const lands = up > 1 && at === wings.base;
    if (up > face.endurance || !(lands || homeBy(seen, wings, at, up, step.length, mode))) {
      throw new Refused("out-of-endurance", "6.21",
        `it could not be back in ${wings.base} from ${at} in time`,
        `endurance ${face.endurance}, speed ${face.speed}`);
    }
    const left = face.endurance - up;
    hops.push({ step, left, home: up === 1 && (left === 0 || ("back" in action.args && !rest.length)) });
  }
  return hops;
}

export function flight(seen, unit, action) {
  const wings = wingsOf(seen, unit), mode = pickMode(wings, wantedMode(action));
  const hops = hopsOf(seen, wings, pathOf(action), mode, action), last = hops.at(-1);
  const way = hops.flatMap((hop) => hop.step);
  const more = last.home ? ", lands after the attacks" : `, ${last.left} more turns in the air`;
  return way.length ? wayText(way, hops.length, more) : "";
}

export function returnHome(seen, actor) {
  const unit = seen.units.get(actor);
  if (!unit || !isAir(unit)) {
    throw new Refused("not-an-air-unit", "6.2", `${actor} does not fly`, `${actor}: move`);
  }
}
