"use strict";
/* The pages work without this file; it adds keys, marks, search in place, drafts, and the clock.
   No text from a trial ever becomes markup here: nodes are made, or taken from a parsed page. */
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (what, from = document) => [...from.querySelectorAll(what)];
  document.documentElement.classList.add("js");

  for (const time of all("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const own = time.id === "until"
      ? { hour: "2-digit", minute: "2-digit" }
      : { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, own).format(at);
  }

  /* ---- steps that come later ---- */
  /* A parsed answer of our own server; XMLHttpRequest makes a document in which nothing runs. */
  const fetched = new Map();
  const page = (url) => {
    if (!fetched.has(url)) {
      fetched.set(url, new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("GET", url);
        request.responseType = "document";
        request.onload = () => (request.status === 200 && request.response
          ? resolve(request.response) : reject(new Error(String(request.status))));
        request.onerror = () => reject(new Error("offline"));
        request.send();
      }).catch((error) => { fetched.delete(url); throw error; }));
    }
    return fetched.get(url);
  };
  let came = () => {};
  const load = async (later) => {
    if (!later || !later.isConnected) return;
    const link = later.querySelector("a");
    link.setAttribute("aria-busy", "true");
    let found;
    try { found = await page(link.getAttribute("href")); } catch { return; }
    if (!later.isConnected) return;
    const steps = all("#part > .step", found).map((one) => document.importNode(one, true));
    later.replaceWith(...steps);
    came(steps);
  };
  const watcher = new IntersectionObserver((seen) => {
    for (const one of seen) if (one.isIntersecting) { watcher.unobserve(one.target); load(one.target); }
  }, { rootMargin: "1200px" });
  for (const later of all(".later")) watcher.observe(later);
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a.whole, .later a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.matches(".later a")) { load(link.closest(".later")); return; }
    const old = link.closest(".step");
    const whole = (await page(link.getAttribute("href"))).querySelector("#part > .step");
    if (!whole) return;
    const one = document.importNode(whole, true);
    old.replaceWith(one);
    came([one], old);
  });

  const typing = (target) => /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
    && !/^(radio|checkbox|button|submit)$/.test(target.type);
  const state = byId("state");
  if (!state) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      const undo = event.key === "u" && document.querySelector("form[action='/undo'] button");
      if (undo) undo.click();
      if (event.key === "?") location.href = "/help";
    });
    const begin = byId("start") || document.querySelector(".list a.primary");
    if (begin && (!document.activeElement || document.activeElement === document.body)) begin.focus();
    return;
  }

  /* ---- what the page says ---- */
  const texts = new Map(all("#says li").map((one) => [one.dataset.key, one.textContent]));
  const say = (key, values = {}) =>
    texts.get(key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
  const live = (text) => { byId("live").textContent = text; };
  const form = byId("verdict"), field = (name) => form.elements[name];
  const base = state.dataset.base;
  const where = (mark) => (mark.hand ? `${say(mark.hand)}, ` : "")
    + (mark.step ? say("step", { n: mark.step }) : say("task"));

  const send = async (path, fields) => {
    const body = new URLSearchParams({ csrf: state.dataset.csrf, ...fields });
    let answer;
    try {
      answer = await fetch(path, { method: "POST", body, headers: { Accept: "application/json" } });
    } catch {
      return { ok: false, offline: true };
    }
    let said = {};
    try { said = await answer.json(); } catch { /* no JSON: the status says it */ }
    return { ok: answer.ok, status: answer.status, ...said };
  };

  const idOf = (mark) => `${mark.hand || "x"}-s${mark.step}`;
  const placed = async (mark) => {
    const there = byId(idOf(mark)) || (mark.step === 0 && document.querySelector("[data-step='0']"));
    if (there) return there;
    const later = all(".later").find((one) => (one.dataset.hand || "") === (mark.hand || "")
      && +one.dataset.first <= mark.step && mark.step <= +one.dataset.last);
    await load(later);
    return byId(idOf(mark));
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const named = /^#(x|left|right)-s(\d+)$/.exec(link.getAttribute("href"));
    if (!named || link.closest(".step .number")) return;
    event.preventDefault();
    const mark = link.closest(".mark");
    show({ hand: named[1] === "x" ? "" : named[1], step: +named[2], quote: mark ? mark.dataset.quote : "" });
  });
  came = (steps, old) => {
    if (old) go(steps[0]);
    for (const one of steps) if (unfolded) for (const fold of all("details.fold", one)) fold.open = true;
    paint();
  };

  /* ---- words in a step, whatever white space is between them ---- */
  const plain = (text) => text.replace(/\s+/g, "").toLowerCase();
  const ranges = (root, wanted, most = 500) => {
    const words = plain(wanted), found = [];
    if (!words) return found;
    const at = [];
    let text = "";
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest(".number, .who, button, summary")) continue;
      const shown = node.data;
      for (let i = 0; i < shown.length; i += 1) {
        if (/\s/.test(shown[i])) continue;
        for (const letter of shown[i].toLowerCase()) { text += letter; at.push([node, i]); }
      }
    }
    for (let from = text.indexOf(words); from >= 0 && found.length < most; from = text.indexOf(words, from + words.length)) {
      const range = document.createRange();
      const [last, end] = at[from + words.length - 1];
      range.setStart(...at[from]);
      range.setEnd(last, end + 1);
      found.push(range);
    }
    return found;
  };
  const paintable = typeof Highlight === "function" && CSS.highlights;
  const colour = (name, list) => {
    if (!paintable) return;
    if (list.length) CSS.highlights.set(name, new Highlight(...list)); else CSS.highlights.delete(name);
  };
  const unfold = (range) => {
    const from = range.startContainer.parentElement;
    for (let node = from; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    (from.closest("pre") || from).scrollTo?.({ top: 0 });
    const box = range.getBoundingClientRect();
    const pane = from.closest(".pane"), pre = from.closest(".fold > pre");
    if (pre && pre.scrollHeight > pre.clientHeight) pre.scrollTop += box.top - pre.getBoundingClientRect().top - pre.clientHeight / 3;
    const now = range.getBoundingClientRect();
    if (pane && pane.scrollHeight > pane.clientHeight + 1 && getComputedStyle(pane).overflowY !== "visible") {
      pane.scrollTop += now.top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
    } else scrollBy(0, now.top - innerHeight / 3);
  };

  /* ---- the step that one is at ---- */
  let current = null;
  const line = () => (current && current.closest(".line")) || activePane || document.querySelector(".line");
  let activePane = null;
  for (const pane of all(".line")) {
    for (const kind of ["focusin", "pointerdown"]) pane.addEventListener(kind, () => { activePane = pane; });
  }
  const go = (step, { focus = true } = {}) => {
    if (!step || !step.matches(".step")) return;
    if (current) { current.classList.remove("current"); current.removeAttribute("aria-current"); }
    current = step;
    step.classList.add("current");
    step.setAttribute("aria-current", "step");
    if (focus) step.focus({ preventScroll: true });
    if (focus) step.scrollIntoView({ block: "start" });
  };
  const move = async (by) => {
    const pane = activePane || line();
    const steps = () => all(".steps > .step, .steps > .later", pane);
    let at = current && current.closest(".line") === pane ? steps().indexOf(current) : -1;
    if (at < 0 && by < 0) return;
    const next = steps()[at + by];
    if (!next) return;
    if (next.matches(".later")) {
      await load(next);
      at = current && current.closest(".line") === pane ? steps().indexOf(current) : -1;
      go(steps()[at + by]);
    } else go(next);
  };
  document.addEventListener("pointerdown", (event) => {
    const step = event.target.closest && event.target.closest(".step");
    if (step) go(step, { focus: false });
  });

  /* ---- what was typed and not kept yet ----
     A page that is loaded anew asks for itself before it tells the server the last words, and a
     server may be down: the tab remembers them, for this lease alone. */
  const PENDING = "pending";
  const fields = () => Object.fromEntries([...new FormData(form)].filter(([name]) => name !== "csrf"));
  const remember = () => {
    try { sessionStorage.setItem(PENDING, JSON.stringify(fields())); } catch { /* no storage: the draft is kept all the same */ }
  };
  const forget = () => { try { sessionStorage.removeItem(PENDING); } catch { /* as above */ } };
  const restore = () => {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(PENDING)); } catch { return; }
    if (!kept || kept.lease !== field("lease").value) return;
    for (const [name, value] of Object.entries(kept)) {
      const control = form.elements[name];
      if (control && name !== "lease" && name !== "item" && name !== "seconds") control.value = value;
    }
  };
  try { field("evidence").value = JSON.stringify(JSON.parse(field("evidence").value)); } catch { field("evidence").value = "[]"; }
  const asLoaded = JSON.stringify({ ...fields(), seconds: "" });
  restore();

  /* ---- evidence ---- */
  let marks = [];
  try { marks = JSON.parse(field("evidence").value || "[]"); } catch { marks = []; }
  const given = all(".labels .mark").map((one) => ({
    step: +one.dataset.step, hand: one.dataset.hand, quote: one.dataset.quote, letter: one.dataset.letter,
  }));
  const paint = () => {
    const own = [], other = [];
    for (const mark of [...marks, ...given]) {
      const root = byId(idOf(mark)) || (mark.step === 0 && document.querySelector("[data-step='0']"));
      if (root && mark.quote) {
        const roots = [root, ...all(`.reply[data-step="${mark.step}"]`).filter((one) => one.dataset.hand === (mark.hand || ""))];
        for (const one of roots) {
          const found = ranges(one, mark.quote, 1);
          if (found.length) { (mark.letter === "B" ? other : own).push(found[0]); break; }
        }
      }
    }
    colour("cited", own);
    colour("letter-b", other);
    const cited = new Set([...marks, ...given].map(idOf));
    const mine = new Set(marks.map(idOf));
    const bad = field("first_bad") ? field("first_bad").value.trim() : "";
    for (const step of all(".step")) {
      const isBad = bad !== "" && step.dataset.step === bad;
      step.classList.toggle("cited", cited.has(step.id));
      step.classList.toggle("bad", isBad);
      const cite = step.querySelector(".acts .cite"), worst = step.querySelector(".acts .bad");
      if (cite) cite.setAttribute("aria-pressed", String(mine.has(step.id)));
      if (worst) worst.setAttribute("aria-pressed", String(isBad));
    }
  };
  const listed = () => {
    field("evidence").value = JSON.stringify(marks);
    byId("own-marks").replaceChildren(...marks.map((mark, number) => {
      const item = document.createElement("li"), link = document.createElement("a");
      item.className = "mark";
      item.dataset.quote = mark.quote || "";
      link.href = `#${idOf(mark)}`;
      link.textContent = where(mark);
      item.append(link);
      if (mark.quote) {
        const quote = document.createElement("q");
        quote.dir = "auto";
        quote.textContent = mark.quote;
        item.append(quote);
      }
      const remove = document.createElement("button");
      remove.type = "button";
      remove.className = "plain";
      remove.textContent = "×";
      remove.setAttribute("aria-label", `${say("remove")}: ${where(mark)}`);
      remove.addEventListener("click", () => { unmark(number); });
      item.append(remove);
      return item;
    }));
    paint();
  };
  const unmark = (number) => {
    const [gone] = marks.splice(number, 1);
    live(say("unmarked", { where: where(gone) }));
    listed();
    changed();
  };
  const home = (node) => {
    const element = node && (node.nodeType === 1 ? node : node.parentElement);
    return element && element.closest("[data-step]");
  };
  const selected = () => {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0).cloneRange();
    const root = home(range.startContainer);
    if (!root || !root.closest(".work")) return null;
    if (!root.contains(range.endContainer)) range.setEndAfter(root.lastChild);
    const quote = selection.toString().length && root.contains(selection.getRangeAt(0).endContainer)
      ? selection.toString().trim() : range.toString().trim();
    return quote ? { step: +root.dataset.step, hand: root.dataset.hand || null, quote } : null;
  };
  const cite = (step) => {
    const words = selected();
    if (words) {
      const long = words.quote.length > 2000;
      words.quote = words.quote.slice(0, 2000).replace(/[\ud800-\udbff]$/, "");
      if (!marks.some((one) => idOf(one) === idOf(words) && one.quote === words.quote)) marks.push(words);
      getSelection().removeAllRanges();
      hideButton();
      live(long ? say("too_long") : say("marked", { where: where(words) }));
    } else {
      const root = step || current;
      if (!root) return;
      const mark = { step: +root.dataset.step, hand: root.dataset.hand || null, quote: "" };
      const at = marks.findIndex((one) => idOf(one) === idOf(mark) && !one.quote);
      if (at >= 0) { unmark(at); return; }
      marks.push(mark);
      live(say("marked", { where: where(mark) }));
    }
    listed();
    changed();
  };
  const setBad = (step) => {
    const root = step || current;
    if (!root) return;
    const input = field("first_bad");
    /* Of a pair neither is the one that failed: a bad step is evidence for the other. */
    if (!input) { cite(root); return; }
    const same = input.value.trim() === root.dataset.step;
    input.value = same ? "" : root.dataset.step;
    live(same ? say("bad_unset") : say("bad_set", { where: where({ step: +root.dataset.step, hand: root.dataset.hand }) }));
    paint();
    changed();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".acts button");
    if (!button) return;
    const step = button.closest(".step");
    if (button.matches(".cite")) cite(step); else setBad(step);
  });
  const show = async (mark) => {
    const root = await placed(mark);
    if (!root) return;
    go(root);
    if (!root.matches(".step")) root.scrollIntoView({ block: "nearest" });
    const found = mark.quote ? ranges(root, mark.quote, 1) : [];
    if (found.length) unfold(found[0]);
  };
  let atMark = -1;
  const jump = (by) => {
    const order = [...marks, ...given].sort((a, b) => (a.hand || "").localeCompare(b.hand || "") || a.step - b.step);
    if (!order.length) { live(say("no_marks")); return; }
    atMark = atMark < 0 && by < 0 ? order.length - 1 : (atMark + by + order.length) % order.length;
    live(`${where(order[atMark])} (${atMark + 1}/${order.length})`);
    show(order[atMark]);
  };

  const floating = document.createElement("button");
  floating.type = "button";
  floating.className = "selecting";
  floating.hidden = true;
  floating.textContent = say("cite");
  document.body.append(floating);
  const hideButton = () => { floating.hidden = true; };
  floating.addEventListener("pointerdown", (event) => { event.preventDefault(); cite(); });
  floating.addEventListener("click", () => { if (!floating.hidden) cite(); });
  document.addEventListener("selectionchange", () => {
    if (!selected()) { hideButton(); return; }
    const box = getSelection().getRangeAt(0).getBoundingClientRect();
    floating.hidden = false;
    floating.style.left = `${Math.max(4, Math.min(box.left, innerWidth - 180))}px`;
    floating.style.top = `${Math.max(4, Math.min(box.bottom + 6, innerHeight - 40))}px`;
  });

  /* ---- search: the server knows every step, also those that are not here yet ---- */
  const box = byId("search"), told = byId("found");
  let hits = [], at = -1, asked = "";
  const clear = () => { hits = []; at = -1; asked = ""; told.textContent = ""; colour("found", []); colour("found-now", []); };
  const look = async (by) => {
    const wanted = box.value.trim();
    if (!wanted) { clear(); return; }
    if (wanted !== asked) {
      clear();
      told.textContent = say("loading");
      let answer;
      try {
        answer = await fetch(`${base}/search?${new URLSearchParams({ q: wanted })}`, { headers: { Accept: "application/json" } });
        hits = await answer.json();
      } catch { told.textContent = say("offline"); return; }
      if (!answer.ok) { told.textContent = hits.text || ""; hits = []; return; }
      asked = wanted;
    }
    if (!hits.length) { told.textContent = say("no_hits"); return; }
    at = at < 0 && by < 0 ? hits.length - 1 : (at + by + hits.length) % hits.length;
    const hit = hits[at];
    told.textContent = `${say("hits", { at: at + 1, of: hits.length })}: ${where(hit)}`;
    const root = hit.step ? await placed(hit) : document.querySelector(".brief");
    if (!root) return;
    let found = ranges(root, wanted);
    const whole = root.querySelector("a.whole");
    if (!found.length && whole) { whole.click(); return; }
    if (hit.step) go(root, { focus: false });
    if (!found.length) { root.scrollIntoView({ block: "start" }); return; }
    unfold(found[0]);
    colour("found", found.slice(1));
    colour("found-now", found.slice(0, 1));
  };
  box.form.addEventListener("submit", (event) => { event.preventDefault(); look(1); });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); look(event.shiftKey ? -1 : 1); }
  });
  box.addEventListener("input", () => { if (!box.value) clear(); });

  /* ---- folding ---- */
  let unfolded = false;
  const foldAll = byId("fold-all");
  const toggleFolds = () => {
    unfolded = !unfolded;
    for (const fold of all(".pane .step details.fold, .pane .side details.fold")) fold.open = unfolded;
    foldAll.setAttribute("aria-pressed", String(unfolded));
    foldAll.firstChild.data = `${say(unfolded ? "fold_all" : "unfold_all")} `;
  };
  foldAll.addEventListener("click", toggleFolds);

  /* ---- time: only while the page is looked at ---- */
  const IDLE = 120000;
  let looked = Number(field("seconds").value) || 0, since = performance.now(), lastAct = since;
  const tick = () => {
    const now = performance.now(), step = now - since;
    since = now;
    if (!document.hidden && now - lastAct < IDLE) looked += Math.min(step, 5000) / 1000;
    field("seconds").value = looked.toFixed(1);
    const whole = Math.floor(looked);
    byId("timer").textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  };
  for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart"]) {
    addEventListener(kind, () => { lastAct = performance.now(); }, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", tick);
  setInterval(tick, 1000);
  tick();

  /* ---- the lease ---- */
  const over = byId("lease-over"), overText = byId("lease-text");
  let expires = Date.parse(state.dataset.expires), asking = false, lastRenewed = performance.now(), isOver = false;
  /* Another clock than the server's must not end a lease early. */
  const skew = Date.now() - Date.parse(state.dataset.now);
  const left = () => expires + skew - Date.now();
  const told_until = () => {
    const until = byId("until");
    until.dateTime = new Date(expires).toISOString();
    until.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" })
      .format(new Date(expires + skew));
  };
  const lost = (text) => { isOver = true; overText.textContent = text; over.hidden = false; byId("take-again").hidden = false; };
  const renew = async () => {
    if (asking) return;
    asking = true;
    const answer = await send(`${base}/renew`, { lease: field("lease").value });
    asking = false;
    lastRenewed = performance.now();
    if (answer.ok) {
      expires = Date.parse(answer.expires);
      told_until();
      if (isOver) live(say("lease_back"));
      isOver = false;
      over.hidden = true;
    } else if (answer.offline) live(say("offline"));
    else lost(isOver ? say("gone", { why: answer.text || answer.status }) : say("lease_over"));
  };
  const watch = () => {
    const active = performance.now() - lastAct < 60000 && !document.hidden;
    const total = Math.max(60000, Number(state.dataset.minutes) * 60000 || 1800000);
    if (left() <= 0 && !isOver) lost(say("lease_over"));
    else if (!isOver && left() < Math.min(180000, total / 3)) {
      overText.textContent = say("lease_soon", { n: Math.max(1, Math.ceil(left() / 60000)) });
      byId("take-again").hidden = true;
      over.hidden = false;
    }
    if (!isOver && active && performance.now() - lastRenewed > Math.min(240000, total / 4)) renew();
  };
  byId("take-again").addEventListener("click", renew);
  setInterval(watch, 1000);
  told_until();

  /* ---- the draft ---- */
  let timer = 0, sent = "", sending = false;
  const content = () => JSON.stringify({ ...fields(), seconds: "" });
  const keep = async () => {
    clearTimeout(timer);
    if (content() === sent || sending || form.dataset.sent) return;
    const now = content();
    sending = true;
    const answer = await send(`${base}/draft`, fields());
    sending = false;
    if (answer.ok) {
      sent = now;
      if (content() === now) forget();
      live(say("saved", { time: new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" }).format(new Date()) }));
    } else if (answer.offline) live(say("offline"));
    else {
      live(say("not_saved", { why: answer.text || answer.status }));
      if (answer.status === 409) lost(say("lease_over"));
    }
    if (content() !== now) changed();
  };
  const changed = () => { remember(); clearTimeout(timer); timer = setTimeout(keep, 1200); };
  form.addEventListener("input", () => { paint(); changed(); });
  sent = asLoaded;
  if (content() !== sent) changed();
  addEventListener("pagehide", () => {
    if (form.dataset.sent || content() === sent) return;
    navigator.sendBeacon(`${base}/draft`, new URLSearchParams({ csrf: state.dataset.csrf, ...fields() }));
  });
  addEventListener("pageshow", (event) => {
    /* The back button may show a page from memory, whose item is labelled: ask the server anew. */
    if (event.persisted) location.reload();
  });

  /* ---- sending ---- */
  const why = byId("why"), toggle = document.querySelector(".why-toggle");
  const openWhy = (open) => {
    why.toggleAttribute("data-open", open);
    toggle.setAttribute("aria-expanded", String(open));
  };
  toggle.addEventListener("click", () => openWhy(!why.hasAttribute("data-open")));
  form.addEventListener("invalid", (event) => {
    if (event.target.name === "verdict") live(say("choose_first")); else openWhy(true);
  }, true);
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    tick();
    remember();
    form.dataset.sent = "1";
    clearTimeout(timer);
    live(say("sending"));
    /* If the answer does not come, the form can be sent again: the server saves it once. */
    setTimeout(() => { delete form.dataset.sent; }, 8000);
  });
  const press = (name) => { const button = form.querySelector(name); if (button) button.click(); };
  const choose = (number) => {
    const radio = all("input[name=verdict]", form)[number - 1];
    if (!radio) return;
    radio.checked = true;
    radio.dispatchEvent(new Event("input", { bubbles: true }));
    live(radio.parentElement.textContent.replace(/^\s*\d+\s*/, "").trim());
  };

  /* ---- keys ---- */
  const help = byId("keys"), rubric = byId("rubric");
  const keys = {
    j: () => move(1), k: () => move(-1), "[": () => jump(-1), "]": () => jump(1),
    e: () => cite(), x: () => setBad(), f: toggleFolds,
    "/": () => { box.focus(); box.select(); },
    r: () => { rubric.open = !rubric.open; if (rubric.open) { rubric.scrollIntoView({ block: "nearest" }); rubric.querySelector("summary").focus({ preventScroll: true }); } },
    n: () => { openWhy(true); field("reason").focus(); },
    d: () => press(".defer"), u: () => press(".undo"),
    "?": () => help.showModal(),
  };
  for (let number = 1; number <= 5; number += 1) keys[String(number)] = () => choose(number);
  const panes = all(".line");
  const switchPane = (to) => { activePane = panes[to]; activePane.focus(); };
  if (panes.length > 1) Object.assign(keys, { h: () => switchPane(0), l: () => switchPane(1) });
  document.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); if (!help.open) press(".submit"); return; }
    if (event.key === "Escape") {
      if (help.open) return;
      if (typing(event.target)) { event.target.blur(); (current || line()).focus({ preventScroll: true }); } else { clear(); getSelection().removeAllRanges(); openWhy(false); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || typing(event.target)) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  listed();
})();
