/* Every visible text of a page, with the contrast of its ink to what is behind it. */
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => top.slice(0, 3).map((c, n) => c * top[3] + under[n] * (1 - top[3]));
  const behind = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    const dark = getComputedStyle(document.documentElement).colorScheme !== "light"
      && matchMedia("(prefers-color-scheme: dark)").matches;
    return layers.reduceRight((under, top) => over(top, under), dark ? [18, 18, 18] : [255, 255, 255]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (!node.data.trim() || !box.checkVisibility({ visibilityProperty: true }) || box.closest(":disabled, script, .sr, .skip")) continue;
    const style = getComputedStyle(box), under = behind(box);
    const ink = over(rgba(box.closest("svg") ? style.fill : style.color), under);
    const [high, low] = [light(ink), light(under)].sort((a, b) => b - a);
    found.push({ text: node.data.trim().slice(0, 60), ratio: (high + 0.05) / (low + 0.05) });
  }
  return found;
}
