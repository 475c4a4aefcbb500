/* What has the focus, where it is, and whether one sees that. */
() => {
  const at = document.activeElement, shown = [at, at.nextElementSibling].filter(Boolean);
  const outline = shown.some((one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
  });
  const box = at.getBoundingClientRect();
  const all = [...document.querySelectorAll("*")];
  return {
    tag: at.tagName.toLowerCase(), place: all.indexOf(at), outline, text: (at.innerText || at.name || "").slice(0, 40),
    seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}
