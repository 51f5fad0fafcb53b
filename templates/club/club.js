(function () {
  // Times in the reader's own zone; without this script they are in UTC.
  try {
    var zone = Intl.DateTimeFormat().resolvedOptions().timeZone, form = new Intl.DateTimeFormat("en-GB", {weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hour12: false});
    document.querySelectorAll("time[datetime*=T]").forEach(function (one) {
      var p = {};
      form.formatToParts(new Date(one.dateTime)).forEach(function (x) { p[x.type] = x.value; });
      one.textContent = p.weekday + " " + p.day + " " + p.month + (one.hasAttribute("data-y") ? " " + p.year : "") + ", " + p.hour + ":" + p.minute;
    });
    document.getElementById("tz").textContent = "Times are yours (" + zone.split("/").pop().replace(/_/g, " ") + ").";
  } catch (error) { /* the page stays in UTC */ }
})();
