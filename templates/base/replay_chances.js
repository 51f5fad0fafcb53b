// The graph of an analysis: it follows the window, and a tap on it chooses one.

if ($("graph")) {
  const graph = $("graph"), now = $("now"), line = now.children[0], dot = now.children[1];
  const at = (i) => D.chances[Math.min(i, D.chances.length - 1)];
  const nearest = (x) => D.chances.reduce((best, [px], i) => (Math.abs(px - x) < Math.abs(at(best)[0] - x) ? i : best), 0);
  const outputs = document.querySelectorAll("#chances output");
  EXTRA.chance = (i) => {
    const [x, y, ...said] = at(i);
    line.setAttribute("d", line.getAttribute("d").replace(/^M\S+/, `M${x}`));
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", y);
    outputs.forEach((one, n) => { one.textContent = said[n]; });
    for (const b of document.querySelectorAll(".turning button")) b.setAttribute("aria-current", Number(b.dataset.frame) === i);
  };
  graph.addEventListener("click", (e) => {
    const box = graph.getBoundingClientRect();
    EXTRA.go(nearest(((e.clientX - box.left) / box.width) * graph.viewBox.baseVal.width));
  });
  for (const b of document.querySelectorAll(".turning button")) b.addEventListener("click", () => EXTRA.go(Number(b.dataset.frame)));
}
