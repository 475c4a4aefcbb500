/* Everything of a page that is read or read out, what stands in a trial apart. */
() => {
  const data = "pre, code, q, kbd, [dir=auto], .asked, .criteria, .tool, .who:not(.message .who, .call .who, .observation .who, .world .who, .note .who), .rubric li, #says, [lang=en], noscript, script, style, .language";
  const found = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim();
    if (text && !node.parentElement.closest(data)) found.push(text);
  }
  for (const one of document.querySelectorAll("[aria-label], [placeholder], [title], [label]")) {
    if (one.closest(data)) continue;
    for (const name of ["aria-label", "placeholder", "title", "label"]) {
      if (one.getAttribute(name)) found.push(one.getAttribute(name));
    }
  }
  return found.map((text) => text.replace(/\s+/g, " "));
}
