// How the player wants his mail: a form that writes `PREFER` in front of the orders (docs/player.md).

import { book, write } from "./book.js";
import { byId, named, redraw, select } from "./dom.js";
import { PREFERENCES } from "./vocabulary.js";

const WISHES = [
  ["zone", "Times in", null],
  ["dates", "Dates", [["words", "Fri 27 Nov 2026 21:00"], ["iso", "2026-11-27 21:00"]]],
  ["mail", "Reports", [["html", "page and text"], ["text", "text alone"]]],
  ["pictures", "Charts as pictures", [["on", "yes"], ["off", "no"]]],
  ["page", "Order page", [["attached", "as a file"], ["linked", "as a link"], ["off", "none"]]],
  ["remind", "Reminder", [...[6, 12, 24, 36, 48, 72].map((n) => [`${n}h`, `${n} hours before the deadline`]), ["off", "none"]]],
];
const WRITTEN = /(^|;)\s*PREFER\b[^;]*(;|$)\s*/gi;

// The zones that the browser knows, its own first, as orders write them: words.
function zones() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone, all = Intl.supportedValuesOf?.("timeZone") || [];
  const names = [...new Set([own, ...all])].filter((name) => name && !name.startsWith("Etc/"));
  return names.map((name) => [name.toLowerCase().replace(/[/_]/g, " "), name.replace(/_/g, " ")]);
}

export function openWishes(report) {
  byId("wishes").hidden = Boolean(report.role);
  if (report.role) return;
  book.told.push(showWishes);
  byId("wishes").ontoggle = showWishes;
}

function showWishes() {
  if (!byId("wishes").open) return;
  const wanted = wishes(book.reading.words.PREFER || "");
  redraw(byId("wished"), WISHES.map(([name, label, values]) => {
    const known = values || zones();
    const said = wanted[name], others = !said || known.some(([value]) => value === said) ? [] : [[said, said]];
    return named(label, select([["", "as it is now"], ...known, ...others], said || "", (value) => wish({ ...wanted, [name]: value }), { id: `wish-${name}` }));
  }));
}

// What stands behind PREFER, by name.
function wishes(text) {
  const found = {};
  let name = "";
  for (const word of text.split(" ").filter(Boolean)) {
    if (PREFERENCES.includes(word)) name = word.toLowerCase();
    else found[name] = [found[name], word.toLowerCase()].filter(Boolean).join(" ");
  }
  return found;
}

function wish(wanted) {
  const said = Object.entries(wanted).filter(([, value]) => value).map(([name, value]) => `${name} ${value}`);
  const rest = book.text.replace(WRITTEN, (_, before) => before && `${before}\n`);
  write(said.length ? `PREFER ${said.join(" ")};\n${rest}` : rest);
}
