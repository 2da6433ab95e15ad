"use strict";
// A figure mended by hand. Places are pixels of the picture from its upper left corner; nothing is sent anywhere.
const byId = (id) => document.getElementById(id);
const made = (tag, more = {}) => Object.assign(document.createElement(tag), more);
const state = JSON.parse(byId("read").textContent);
const picture = byId("picture"), canvas = byId("canvas"), ink = canvas.getContext("2d");
const TOOLS = { marks: "move marks", draw: "draw", erase: "erase", colour: "pick a colour", frame: "panel's corners" };
const LOOKS = ["#e6007e", "#00a0ff", "#00b050", "#ff8000", "#7030a0", "#00c0c0", "#a0a000", "#c00000"];
let zoom = 1, tool = "marks", at = 0, chosen = 0, held = null, pixels = null;
const past = [];

const panel = () => state.panels[at];
const curve = () => panel() && panel().curves[chosen];
const remember = () => { past.push(JSON.stringify(state.panels)); if (past.length > 60) past.shift(); };

function emptyPanel(frame) {
  return { frame, x: { kind: "linear", name: "", unit: "", marks: [] }, y: { kind: "linear", name: "", unit: "", marks: [] }, curves: [] };
}

function paint() {
  canvas.width = picture.naturalWidth * zoom;
  canvas.height = picture.naturalHeight * zoom;
  ink.imageSmoothingEnabled = false;
  ink.globalAlpha = 0.6; ink.drawImage(picture, 0, 0, canvas.width, canvas.height); ink.globalAlpha = 1;
  state.panels.forEach((one, number) => {
    const [a, b, c, d] = one.frame.map((v) => v * zoom);
    ink.strokeStyle = number === at ? "#008000" : "#999"; ink.lineWidth = 1; ink.strokeRect(a, b, c - a, d - b);
    one.curves.forEach((line, k) => {
      if (!line.kept) return;
      ink.strokeStyle = ink.fillStyle = LOOKS[k % LOOKS.length];
      ink.lineWidth = number === at && k === chosen ? 2.5 : 1.2;
      for (const part of line.parts) {
        ink.beginPath();
        part.forEach(([x, y], n) => {
          const [u, v] = [(x + 0.5) * zoom, (y + 0.5) * zoom];
          if (line.kind === "points" || part.length === 1) { ink.moveTo(u + 4, v); ink.arc(u, v, 4, 0, 7); }
          else if (n) ink.lineTo(u, v); else ink.moveTo(u, v);
        });
        ink.stroke();
      }
    });
  });
  if (!panel()) return;
  ink.lineWidth = 1; ink.font = "12px sans-serif";
  const [a, b, c, d] = panel().frame;
  for (const [axis, colour] of [["x", "#0000ff"], ["y", "#b000b0"]]) {
    ink.strokeStyle = ink.fillStyle = colour;
    for (const [place, value] of panel()[axis].marks) {
      const p = (place + 0.5) * zoom;
      ink.beginPath();
      if (axis === "x") { ink.moveTo(p, (d - 8) * zoom); ink.lineTo(p, (d + 14) * zoom); ink.fillText(value, p + 3, (d + 13) * zoom); }
      else { ink.moveTo((a - 14) * zoom, p); ink.lineTo((a + 8) * zoom, p); ink.fillText(value, (a - 14) * zoom, p - 3); }
      ink.stroke();
    }
  }
}

function residual(axis) {  // how far, in pixels, the worst mark lies off the line of all; NaN where there is no scale
  const log = axis.kind === "logarithmic";
  const w = axis.marks.map(([, v]) => (log ? Math.log10(v) : Number(v))), p = axis.marks.map(([q]) => q), n = p.length;
  if (n < 2 || w.some((v) => !Number.isFinite(v))) return NaN;
  const mp = p.reduce((s, v) => s + v, 0) / n, mw = w.reduce((s, v) => s + v, 0) / n;
  const slope = p.reduce((s, v, k) => s + (v - mp) * (w[k] - mw), 0) / p.reduce((s, v) => s + (v - mp) ** 2, 0);
  return slope ? Math.max(...p.map((v, k) => Math.abs((w[k] - mw) / slope - (v - mp)))) : NaN;
}

function fill() {
  byId("panel").replaceChildren(...state.panels.map((_, k) => made("option", { value: k, textContent: `panel ${k + 1}`, selected: k === at })));
  byId("tools").replaceChildren(...Object.entries(TOOLS).map(([name, words]) => {
    const button = made("button", { textContent: words, className: tool === name ? "on" : "", onclick: () => { tool = name; fill(); } });
    button.dataset.tool = name;
    return button;
  }));
  for (const axis of ["x", "y"]) fillAxis(axis);
  const rows = (panel() ? panel().curves : []).map((line, k) => {
    const row = made("tr", { className: k === chosen ? "chosen" : "", onclick: () => { if (chosen !== k) { chosen = k; fill(); } } });
    const cells = [
      made("input", { type: "checkbox", checked: line.kept, title: "keep", onchange: (e) => { remember(); line.kept = e.target.checked; paint(); } }),
      made("span", { className: "swatch" }),
      made("input", { className: "name", value: line.name, placeholder: "name", onchange: (e) => { remember(); line.name = e.target.value; } }),
      made("select", { onchange: (e) => { remember(); line.kind = e.target.value; paint(); } }),
    ];
    cells[1].style.background = LOOKS[k % LOOKS.length];
    cells[3].append(...["line", "points"].map((kind) => made("option", { textContent: kind, selected: kind === line.kind })));
    row.append(...cells.map((cell) => { const td = made("td"); td.append(cell); return td; }));
    return row;
  });
  const table = made("table"); table.append(...rows); byId("curves").replaceChildren(table);
  paint();
}

function fillAxis(name) {
  const axis = panel() && panel()[name], box = byId(name);
  if (!axis) { box.replaceChildren(); return; }
  const kind = made("select", { onchange: (e) => { remember(); axis.kind = e.target.value; fill(); } });
  kind.append(...["linear", "logarithmic"].map((k) => made("option", { textContent: k, selected: k === axis.kind })));
  const table = made("table");
  axis.marks.forEach((mark, k) => {
    const row = made("tr"), value = made("input", { className: "value", value: mark[1], onchange: (e) => { remember(); mark[1] = Number(e.target.value); fill(); } });
    const drop = made("button", { textContent: "remove", onclick: () => { remember(); axis.marks.splice(k, 1); fill(); } });
    for (const cell of [made("span", { textContent: `at ${mark[0].toFixed(1)}:` }), value, drop]) { const td = made("td"); td.append(cell); row.append(td); }
    table.append(row);
  });
  const off = residual(axis), wrong = !(off <= 2);
  const told = made("span", { className: wrong ? "bad" : "", textContent: Number.isNaN(off) ? " two marks with numbers are needed" : ` worst mark off by ${off.toFixed(1)} pixels` });
  const add = made("button", { textContent: "add mark", onclick: () => {
    remember();
    const [a, b, c, d] = panel().frame;
    axis.marks.push([name === "x" ? (a + c) / 2 : (b + d) / 2, 0]); tool = "marks"; fill();
  } });
  const words = ["name", "unit"].map((which) => made("input", { className: "value", value: axis[which], placeholder: which, onchange: (e) => { remember(); axis[which] = e.target.value; } }));
  box.replaceChildren(...words, kind, table, add, told);
}

function place(event) {
  const box = canvas.getBoundingClientRect();
  return [(event.clientX - box.left) / zoom - 0.5, (event.clientY - box.top) / zoom - 0.5];
}

function nearestMark([x, y]) {
  let best = null;
  for (const axis of ["x", "y"]) for (const mark of panel()[axis].marks) {
    const off = Math.abs(mark[0] - (axis === "x" ? x : y));
    const [a, b, c, d] = panel().frame, beside = axis === "x" ? Math.abs(y - d) : Math.abs(x - a);
    if (off < 8 && beside < 40 && (!best || off < best.off)) best = { axis, mark, off };
  }
  return best;
}

function erase([x, y], reach) {
  const line = curve();
  if (!line) return;
  const parts = [];
  for (const part of line.parts) {
    let piece = [];
    for (const point of part) {
      if (Math.hypot(point[0] - x, point[1] - y) > reach) piece.push(point);
      else if (piece.length) { parts.push(piece); piece = []; }
    }
    if (piece.length) parts.push(piece);
  }
  line.parts = parts;
}

function readPixels() {
  if (pixels) return pixels;
  const copy = made("canvas", { width: picture.naturalWidth, height: picture.naturalHeight }), own = copy.getContext("2d");
  own.drawImage(picture, 0, 0);
  return (pixels = own.getImageData(0, 0, copy.width, copy.height));
}

function traceColour([x, y]) {  // the middle of this colour's pixels in each column; columns with two runs are left out
  const { data, width, height } = readPixels();
  const colourAt = (u, v) => { const k = 4 * (v * width + u); return [data[k], data[k + 1], data[k + 2]]; };
  const u = Math.round(x), v = Math.round(y);
  if (u < 0 || v < 0 || u >= width || v >= height || !curve()) return;
  const wanted = colourAt(u, v), [a, b, c, d] = panel().frame.map(Math.round);
  const same = (p, q) => { const [r, g, l] = colourAt(p, q); return Math.hypot(r - wanted[0], g - wanted[1], l - wanted[2]) < 70; };
  const parts = []; let part = [], last = -9;
  for (let column = Math.max(a + 2, 0); column < Math.min(c - 1, width); column++) {
    const runs = [];
    for (let row = Math.max(b + 2, 0); row < Math.min(d - 1, height); row++) {
      if (!same(column, row)) continue;
      if (runs.length && runs[runs.length - 1][1] >= row - 2) runs[runs.length - 1][1] = row; else runs.push([row, row]);
    }
    if (runs.length !== 1) continue;
    if (column - last > 3 && part.length) { parts.push(part); part = []; }
    const [first, end] = runs[0];
    part.push([column, (first + end) / 2, 1, 0.6 + (end - first) / 4]); last = column;
  }
  if (part.length) parts.push(part);
  remember(); curve().parts = parts; fill();
}

canvas.onpointerdown = (event) => {
  const here = place(event);
  if (!panel() && tool !== "frame") return;
  canvas.setPointerCapture(event.pointerId);
  if (tool === "marks") { const found = nearestMark(here); if (found) { remember(); held = found; } }
  else if (tool === "frame") { remember(); if (!panel()) { state.panels.push(emptyPanel([0, 0, 1, 1])); at = state.panels.length - 1; } held = { corner: here }; }
  else if (tool === "colour") traceColour(here);
  else if (curve()) {
    remember(); held = { stroke: tool };
    if (tool === "draw") { if (curve().kind === "points") { curve().parts.push([[...here, 1.5, 1.5]]); held = null; } else held.part = extended(here); }
    else erase(here, 6);
    paint();
  }
};

function extended(here) {  // a click goes on from the last part, from left to right
  const parts = curve().parts, last = parts[parts.length - 1], point = [...here, 1.5, 1.5];
  if (last && last.length && here[0] > last[last.length - 1][0] && last.byHand) { last.push(point); return last; }
  const part = [point]; part.byHand = true; parts.push(part); return part;
}

canvas.onpointermove = (event) => {
  if (!held) return;
  const here = place(event);
  if (held.mark) held.mark[0] = here[held.axis === "x" ? 0 : 1];
  else if (held.corner) {
    const [x, y] = held.corner;
    panel().frame = [Math.min(x, here[0]), Math.min(y, here[1]), Math.max(x, here[0]), Math.max(y, here[1])];
  } else if (held.stroke === "erase") erase(here, 6);
  else if (held.part && here[0] > held.part[held.part.length - 1][0] + 1) held.part.push([...here, 1.5, 1.5]);
  paint();
};
canvas.onpointerup = () => { if (held) { held = null; fill(); } };

byId("larger").onclick = () => { zoom = Math.min(zoom * 1.5, 8); paint(); };
byId("smaller").onclick = () => { zoom = Math.max(zoom / 1.5, 0.3); paint(); };
byId("undo").onclick = () => { if (past.length) { state.panels = JSON.parse(past.pop()); at = Math.min(at, Math.max(state.panels.length - 1, 0)); chosen = 0; fill(); } };
byId("panel").onchange = (event) => { at = Number(event.target.value); chosen = 0; fill(); };
byId("newpanel").onclick = () => {
  remember();
  const [w, h] = [picture.naturalWidth, picture.naturalHeight];
  state.panels.push(emptyPanel([0.15 * w, 0.1 * h, 0.95 * w, 0.85 * h])); at = state.panels.length - 1; chosen = 0; tool = "frame"; fill();
};
byId("newcurve").onclick = () => {
  if (!panel()) return;
  remember(); panel().curves.push({ name: "", kind: "line", kept: true, parts: [] }); chosen = panel().curves.length - 1; tool = "draw"; fill();
};

function saved() {
  const round = (v) => Math.round(v * 100) / 100;
  return {
    form: state.form, picture: state.picture,
    panels: state.panels.map((one) => ({
      frame: one.frame.map(round),
      x: { ...one.x, marks: one.x.marks.map(([p, v]) => [round(p), Number(v)]) },
      y: { ...one.y, marks: one.y.marks.map(([p, v]) => [round(p), Number(v)]) },
      curves: one.curves.filter((line) => line.kept && line.parts.length).map((line) => ({
        name: line.name, kind: line.kind, parts: line.parts.map((part) => part.map((point) => point.map(round))),
        bars: line.bars && line.bars.length === line.parts.flat().length ? line.bars : [],
      })),
      maps: one.maps || [],
    })).filter((one) => one.curves.length || one.maps.length),
  };
}

byId("save").onclick = () => {
  const bad = [];
  const kept = state.panels.filter((one) => (one.maps || []).length || one.curves.some((line) => line.kept && line.parts.length));
  kept.forEach((one, k) => { for (const axis of ["x", "y"]) if (!(residual(one[axis]) <= 2)) bad.push(`panel ${state.panels.indexOf(one) + 1}: its ${axis} axis is not clear`); });
  if (!kept.length) bad.push("no curve is kept");
  byId("told").textContent = bad.join("\n"); byId("told").className = bad.length ? "bad" : "";
  if (bad.length) return;
  const link = made("a", { href: URL.createObjectURL(new Blob([JSON.stringify(saved())], { type: "application/json" })), download: state.file });
  link.click(); URL.revokeObjectURL(link.href);
  byId("told").textContent = `saved as ${state.file}`;
};

function begin() {
  zoom = Math.min(1, Math.max(0.3, byId("view").clientWidth / picture.naturalWidth));
  fill();
}
picture.decode().then(begin, begin);
