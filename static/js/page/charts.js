// The reading cursor of the summary: a finger, a mouse or the arrow keys read all charts at one time. It is a slider
// laid over the first plot, so that screen readers have it too. While it is used, the labels show the values there,
// and the headings the time.

const WIDTH = 1000;

for (const charts of document.querySelectorAll("[data-charts]")) {
  const curves = [...charts.querySelectorAll("[data-curve]")].map(curve);
  if (curves.length) cursor(charts, JSON.parse(charts.dataset.charts), curves);
}

/** One curve: its name, its steps (place and value), and the label that shows its value. */
function curve(group) {
  const place = [...group.parentElement.querySelectorAll("[data-curve]")].indexOf(group);
  const labels = group.closest("figure, .chart").querySelectorAll("[data-value]");
  return {
    name: group.dataset.name,
    steps: group.dataset.curve.split(" ").map((step) => step.split(",").map(Number)),
    label: labels[place],
    usual: labels[place].innerHTML,
    main: Boolean(group.closest(".chart")),
  };
}

function cursor(charts, axis, curves) {
  const plots = [...charts.querySelectorAll(".chart-plot")];
  const headings = charts.querySelectorAll(".chart-reading");
  const last = axis.parts.at(-1)[1]; // beyond it is nothing more to read
  const moments = [...new Set([0, ...curves.flatMap(({ steps }) => steps.map(([at]) => at)), last])];
  moments.sort((a, b) => a - b);

  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", className: "chart-cursor", min: 0, max: last, value: last });
  slider.setAttribute("aria-label", charts.dataset.label);
  plots[0].append(slider);
  say(last);

  slider.addEventListener("input", () => read(Number(slider.value)));
  slider.addEventListener("blur", leave);
  slider.addEventListener("keydown", (event) => {
    const at = Number(slider.value);
    const next = {
      ArrowRight: moments.find((each) => each > at) ?? last,
      ArrowLeft: moments.findLast((each) => each < at) ?? 0,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    slider.value = next;
    read(next);
  });

  for (const plot of plots) {
    const follow = (event) => {
      if (event.pointerType !== "mouse" && !event.buttons) return;
      const { left, width } = plot.getBoundingClientRect();
      const at = Math.round(Math.min(last, Math.max(0, ((event.clientX - left) / width) * WIDTH)));
      slider.value = at;
      read(at);
    };
    plot.addEventListener("pointerdown", follow);
    plot.addEventListener("pointermove", follow);
    plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && leave());
  }
  // A finger leaves the values standing, to be read; a tap elsewhere puts them back.
  document.addEventListener("pointerdown", ({ target }) => target.closest(".chart-plot") || leave());

  function say(at) {
    const first = curves.filter(({ main }) => main);
    const values = (first.length ? first : curves).map((each) => `${each.name} ${value(each, at)}`);
    slider.setAttribute("aria-valuetext", [...when(at), values.join(", ")].join(", "));
  }

  function read(at) {
    say(at);
    for (const plot of plots) {
      const line = plot.querySelector(".chart-cursor-line");
      for (const end of ["x1", "x2"]) line.setAttribute(end, `${at / 10}%`);
      line.removeAttribute("hidden");
    }
    for (const each of curves) each.label.textContent = value(each, at);
    for (const heading of headings) heading.textContent = when(at).join(" · ");
  }

  function leave() {
    for (const plot of plots) plot.querySelector(".chart-cursor-line").setAttribute("hidden", "");
    for (const { label, usual } of curves) label.innerHTML = usual;
    for (const heading of headings) heading.textContent = "";
  }

  /** The time of play or the line, and the turn. */
  function when(at) {
    const { hours, minutes, seconds, line } = charts.dataset;
    const [left, right, first, last] = axis.parts.findLast(([since]) => since <= at);
    const now = Math.round(first + (last - first) * Math.min(1, (at - left) / (right - left || 1)));
    const turn = axis.turns.findLast(([since]) => since <= at)?.[1];
    const whole = Math.floor(now / 60);
    const time = whole < 60 ? `${whole} ${minutes}` : `${Math.floor(whole / 60)} ${hours} ${whole % 60} ${minutes}`;
    const said = !axis.timed ? `${line} ${now}` : now < 60 ? `${now} ${seconds}` : time;
    return turn ? [said, turn] : [said];
  }
}

/** The value of a curve at a place of the axis, as it is printed. */
function value({ steps }, at) {
  return String(steps.findLast(([since]) => since <= at)?.[1] ?? "–").replace("-", "−");
}
