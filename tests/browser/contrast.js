// Which texts are too faint on their grounds (WCAG 2.2, 1.4.3), in the dialog that is open or on the
// page: a line each. Unlike axe, which says nothing of a text on a gradient, this takes the stop
// that the text is faintest on. What is typed into a field, or chosen there, is a text, too.
() => {
  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  // Red, green, blue and alpha, from 0 to 1, of a colour in any notation.
  const read = (colour) => {
    if (!colours.has(colour)) {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = colour;
      paint.fillRect(0, 0, 1, 1);
      colours.set(colour, [...paint.getImageData(0, 0, 1, 1).data].map((part) => part / 255));
    }
    return colours.get(colour);
  };
  const over = ([r, g, b, a], [red, green, blue, alpha]) => {
    const all = a + alpha * (1 - a);
    const mix = (one, other) => (all ? (one * a + other * alpha * (1 - a)) / all : 0);
    return [mix(r, red), mix(g, green), mix(b, blue), all];
  };
  const faded = ([r, g, b, a], opacity) => [r, g, b, a * opacity];
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = ([one, other]) => {
    const [less, more] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
  };

  const painted = new Map();
  // What an element paints behind its text: one of these colours everywhere, or a picture.
  const ground = (element) => {
    if (!painted.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const colour = /(?:rgba?|color|okl\w+|la[bc]|hsl)\([^()]*\)/g;
      const arrow = element.matches("select"); // two gradients in a corner, of the text's own colour
      const stops = arrow ? [] : (backgroundImage.match(colour) ?? []);
      const flat = read(backgroundColor);
      painted.set(element, {
        may: stops.length ? stops.map((stop) => over(read(stop), flat)) : [flat],
        picture: backgroundImage.includes("url("),
        opacity: Number(opacity),
      });
    }
    return painted.get(element);
  };

  const boxOf = (element, text) => {
    if (text === element) return element.getBoundingClientRect(); // a field has no node of its text
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect();
  };

  // What lies under the middle of an element's text: off the screen only those it is inside.
  const below = (element, text) => {
    const inside = [];
    for (let each = element; each; each = each.parentElement) inside.push(each);
    const { left, top, width, height } = boxOf(element, text);
    const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
    const from = stack.indexOf(element);
    if (from < 0) return inside;
    return [...stack.slice(from), ...inside.filter((each) => !stack.includes(each))];
  };

  // The text and its ground as they are seen, for each colour that the ground may have.
  const looks = (element, text) => {
    let pairs = [[read(getComputedStyle(element).color), [0, 0, 0, 0]]];
    for (const each of below(element, text)) {
      const { may, picture, opacity } = ground(each);
      if (picture) return [];
      const around = each.contains(element) ? opacity : 1;
      pairs = pairs.flatMap(([ink, paper]) =>
        (paper[3] === 1 ? [paper] : may.map((one) => over(paper, faded(one, opacity / around))))
          .map((under) => [faded(over(ink, under), around), faded(under, around)]),
      );
      pairs = [...new Map(pairs.map((pair) => [pair.join(), pair])).values()];
    }
    return pairs.filter(([, paper]) => paper[3] === 1); // an overlay lies on who knows what
  };

  const faint = new Set();
  const shown = document.querySelector("dialog[open]") ?? document.body;
  const apart = ":disabled, [aria-disabled=true], [aria-hidden=true], option";
  const field = "input:not([type=checkbox], [type=radio], [type=range], [type=color]), textarea, select";
  for (const element of shown.querySelectorAll("*")) {
    const text = element.matches(field)
      ? element
      : [...element.childNodes].find(
          ({ nodeType, data }) => nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(data),
        );
    if (!text || element.closest(apart)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { fontSize, fontWeight, clipPath } = getComputedStyle(element);
    if (clipPath !== "none" || element.getBoundingClientRect().bottom < 0) continue;
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const found = Math.min(...looks(element, text).map(contrast));
    if (found < least) {
      faint.add(`${found.toFixed(2)}, not ${least}: ${element.outerHTML.slice(0, 160)}`);
    }
  }
  return [...faint];
}
