// What changed, at the top of the page: the report's own words, and the enemies that it knows.

import { byId, make, redraw } from "./dom.js";
import { capital, titleOf } from "./reach.js";

const SIDE_BY_SIDE = "(min-width: 62.5em)", MOST_FOES = 12;

export function showNews(report) {
  const news = report.events || [], foes = (report.contacts || []).filter((c) => c.source !== "open").sort((a, b) => (a.age || 0) - (b.age || 0)).slice(0, MOST_FOES);
  const head = report.news || news[0]?.text || "Nothing new";
  byId("news").hidden = false;
  if (matchMedia(SIDE_BY_SIDE).matches) byId("news").open = true;
  byId("headline").textContent = capital(head);
  redraw(byId("told"), foes.length ? make("ul", { className: "foes" }, foes.map((c) => make("li", {}, make("b", {}, c.id), ` ${[c.type, titleOf(c.place)].filter(Boolean).join(", ")}`))) : null,
    make("ul", {}, news.length ? news.map((e) => make("li", {}, e.text)) : make("li", {}, "Nothing else was reported.")));
}
