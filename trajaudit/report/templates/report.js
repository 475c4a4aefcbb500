"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("#trial-table tbody tr")];
  const form = byId("filters");
  const texts = new Map();

  const textOf = (row) => {
    if (!texts.has(row)) {
      const body = row.dataset.trial && byId(row.dataset.trial);
      texts.set(row, (row.textContent + (body ? body.textContent : "")).toLowerCase());
    }
    return texts.get(row);
  };

  const filter = () => {
    const wanted = byId("search").value.trim().toLowerCase();
    const status = byId("status").value, kind = byId("kind").value, task = byId("task").value;
    let shown = 0;
    for (const row of rows) {
      const keep = (!status || row.dataset.status.split(" ").includes(status))
        && (!kind || row.dataset.kinds.split(" ").includes(kind))
        && (!task || row.dataset.task === task)
        && (!wanted || textOf(row).includes(wanted));
      row.hidden = !keep;
      const body = row.dataset.trial && byId(row.dataset.trial);
      if (body) body.hidden = !keep;
      shown += keep;
    }
    byId("shown").textContent = `${shown} of ${rows.length} trials`;
  };

  const reveal = () => {
    let target = location.hash.length > 1 && byId(location.hash.slice(1));
    if (!target) return;
    for (let node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") { node.open = true; node.hidden = false; }
    }
    target.scrollIntoView();
    if (target.tabIndex >= -1 && target.hasAttribute("tabindex")) target.focus({ preventScroll: true });
  };

  const move = (by) => {
    const links = rows.filter((row) => !row.hidden).map((row) => row.querySelector("a")).filter(Boolean);
    if (!links.length) {
      const near = document.querySelector(by > 0 ? "a[rel=next]" : "a[rel=prev]");
      if (near) near.click();
      return;
    }
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1);
    links[next].focus();
    links[next].scrollIntoView({ block: "nearest" });
  };

  const keys = { j: () => move(1), k: () => move(-1), "/": () => form && byId("search").focus() };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && form) { form.reset(); filter(); document.activeElement.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });

  if (form) {
    let timer = 0;
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
    form.addEventListener("reset", () => setTimeout(filter, 0));
    filter();
  }
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    for (const trial of document.querySelectorAll("details.trial:not([hidden])")) trial.open = true;
  });
  reveal();
})();
