// Where a side could think its enemies were: shades on the main chart, with a switch for each side.

if ($("heat")) {
  const sides = D.sides.map((s, n) => n).filter((n) => D.frames.some((f) => f.p && f.p[n].length));
  const on = [[], ...D.sides.map((s, n) => [n])]; // By view, whose shades it shows
  const switches = sides.map((n) => {
    const box = node("input"), label = node("label");
    box.type = "checkbox";
    label.append(box, ` ${D.sides[n].name}: where the enemy might be`);
    box.addEventListener("change", () => {
      const shown = on[state.v];
      on[state.v] = box.checked ? [...shown, n] : shown.filter((one) => one !== n);
      EXTRA.show();
    });
    $("key").before(label);
    return [n, box, label];
  });
  EXTRA.heat = (i, v) => {
    const found = D.frames[i].p || [], main = !EXTRA.on;
    for (const [n, box, label] of switches) {
      label.hidden = v > 0 && v - 1 !== n;
      box.checked = on[v].includes(n);
    }
    $("heat").hidden = !main || switches.every(([, , label]) => label.hidden);
    $("key").hidden = !on[v].length;
    $("key").style.setProperty("--heat", enemy(1 + (on[v][0] || 0)));
    return main ? on[v].flatMap((n) => shades(found[n] || [], n + 1)) : [];
  };
  function shades(lists, side) {
    const ink = enemy(side);
    return lists.flatMap((list, n) => shaded("heat", cells(pointsOf(list)), { fill: ink, "fill-opacity": D.shades[n], stroke: ink, "stroke-opacity": 0.35 }));
  }
}
