"use strict";
// The page of `coderag inspect`. Everything that comes from a repository reaches the document as text, never as markup.
(() => {
  const app = document.getElementById("app");
  const loaded = JSON.parse(document.getElementById("data").textContent);
  const ROLES = ["match", "further", "member", "definition", "focus"];
  const LATE = 30; // rows beyond this are not printed
  const SIGN = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" });
  const WHOLE = new Intl.NumberFormat("en");

  // Making elements

  function dress(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "style") for (const [key, said] of Object.entries(value)) node.style.setProperty(key, said);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
    return node;
  }
  const el = (tag, attributes, ...children) => dress(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  const count = (number, one, many) => `${WHOLE.format(number)} ${number === 1 ? one : many || `${one}s`}`;
  const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}\u2026` : text);
  const chance = (logOdds) => 1 / (1 + Math.exp(-logOdds));

  // The theme

  const root = document.documentElement;
  function kept(name, value) {
    try { // a page from a file may be without storage
      if (value !== undefined) localStorage.setItem(name, value);
      return localStorage.getItem(name);
    } catch { return null; }
  }
  function turnTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept("coderag-theme", root.dataset.theme);
  }
  if (["light", "dark"].includes(kept("coderag-theme"))) root.dataset.theme = kept("coderag-theme");

  // Colouring code

  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\\/-]/g, "\\$&");
  function tokensOf(lexicon) {
    const comments = lexicon.comments.map(([start, end]) =>
      end ? `${escaped(start)}[\\s\\S]*?(?:${escaped(end)}|$)` : `${escaped(start)}[^\\n]*`);
    const quotes = lexicon.quotes.map((quote) =>
      quote.length > 1 ? `${quote}[\\s\\S]*?(?:${quote}|$)`
        : quote === "`" ? "`(?:\\\\[\\s\\S]|[^`\\\\])*(?:`|$)"
          : `${quote}(?:\\\\[\\s\\S]|[^${quote}\\\\\\n])*(?:${quote}|(?=\\n)|$)`);
    const named = [["c", comments], ["s", quotes]].filter(([, list]) => list.length)
      .map(([name, list]) => `(?<${name}>${list.join("|")})`);
    return new RegExp([...named, "(?<n>(?<![\\p{L}\\p{N}_])\\d[\\w.]*)", "(?<w>[\\p{L}_$][\\p{L}\\p{N}_$]*)"].join("|"), "gu");
  }

  function* coloured(text, lexicon) {
    const keywords = new Set(lexicon.keywords);
    let position = 0;
    for (const match of text.matchAll(tokensOf(lexicon))) {
      if (match.index > position) yield ["", text.slice(position, match.index)];
      position = match.index + match[0].length;
      const { c, s, n } = match.groups;
      yield [c !== undefined ? "c" : s !== undefined ? "s" : n !== undefined ? "n" : sort(match[0], text[position]), match[0]];
    }
    if (position < text.length) yield ["", text.slice(position)];

    function sort(word, next) {
      if (keywords.has(word)) return "k";
      if (next === "(") return "f";
      return /^\p{Lu}.*\p{Ll}/u.test(word) ? "t" : "";
    }
  }

  const PLAIN = { keywords: [], comments: [], quotes: [] };
  function listing(candidate, data) {
    const words = data.words.length ? new RegExp(`(${data.words.map(escaped).join("|")})`, "giu") : null;
    const lines = candidate.text.split("\n").length;
    const [first, last] = candidate.lines;
    const numbered = first > 0 && last - first + 1 === lines; // an outline leaves lines out, so its lines have no numbers
    let number = first;
    const start = () => el("span", { class: "l", "data-n": numbered ? String(number++) : " " });
    const body = el("pre", { class: numbered ? "listing numbered" : "listing", tabindex: "0", "aria-label": `Code of ${candidate.id}` });
    let line = start();
    for (const [kind, text] of coloured(candidate.text, data.languages[candidate.language] || PLAIN)) {
      text.split("\n").forEach((part, place) => {
        if (place) { line.append("\n"); body.append(line); line = start(); }
        if (part) line.append(kind ? el("span", { class: kind }, ...marked(part, words)) : fragment(marked(part, words)));
      });
    }
    body.append(line);
    return body;
  }
  function fragment(children) {
    const made = document.createDocumentFragment();
    made.append(...children);
    return made;
  }
  const marked = (text, words) =>
    words ? text.split(words).map((part, place) => (place % 2 ? el("mark", {}, part) : part)) : [text];

  // One inspection

  function show(data, ask) {
    const candidates = data.candidates;
    const byId = new Map(candidates.map((each) => [each.id, each]));
    const blocks = data.payload.blocks;
    const isRecord = Boolean(data.record);
    const inside = new Set(blocks.flatMap((block) => block.parts.map((part) => part.id)));
    const rules = new Map();
    for (const block of blocks) for (const each of block.left_out) rules.set(each.id.replace(/^coderag:/, ""), each.rule);
    for (const each of candidates) {
      each.state = inside.has(each.id) ? "in" : rules.has(each.id) ? "out" : "below";
      each.rule = rules.get(each.id) || "";
      each.haystack = `${each.id}\n${each.kind}\n${each.language}\n${each.text}`.toLowerCase();
      each.recallers = new Map(each.proposals.map(([name, rank]) => [name, rank]));
      each.added = new Map(each.signals.map(([number, , added]) => [number, added]));
    }
    const rows = new Map(), sentPieces = new Map();
    let pinned = null;

    // The head

    function hero() {
      const facts = [
        data.focus && ["focus", data.focus, true],
        data.record && ["record", data.record, true],
        data.total && ["", count(data.total, "candidate")],
        inside.size && ["", `${count(inside.size, "part")} given to the model`],
        ["", count(data.payload.tokens, "token")],
        data.generation && ["generation", WHOLE.format(data.generation)],
        ...filters(),
      ];
      const task = data.request.task || "";
      const trace = (data.request.params || {}).trace;
      return el("div", { class: "hero" },
        ask,
        el("h1", { class: task ? "question" : "question untold" }, task || "A question without words: the focus and the trace speak"),
        el("div", { class: "facts" }, facts.filter(Boolean).map(([name, value, loud]) =>
          el("span", { class: loud ? "fact loud" : "fact" }, name && `${name} `, el("b", {}, value)))),
        trace && el("details", { class: "trace" }, el("summary", {}, "The trace"), el("pre", {}, String(trace))),
        data.notes.length > 0 && el("ul", { class: "notes" }, data.notes.map((note) => el("li", {}, note))));
    }
    function filters() {
      const params = data.request.params || {};
      return [["paths", "path"], ["languages", "language"], ["kinds", "kind"], ["open_files", "open"]]
        .flatMap(([name, said]) => [params[name] || []].flat().map((value) => ["" + said, String(value)]));
    }

    // The budget

    const tone = (block, part) =>
      blocks.length > 1 ? `var(--f${blocks.indexOf(block) % 8})` : `var(--f${[0, 2, 1, 4, 5][ROLES.indexOf(part.role)] ?? 7})`;
    const segmentsOf = new Map();
    function segments(block, scale, labelled) {
      const parts = block.parts.map((part) => {
        const segment = el("button", {
          class: "segment", title: `${part.id}\n${count(part.tokens, "token")}${part.why ? `\n${part.why}` : ""}`,
          "aria-label": `${part.id}, ${count(part.tokens, "token")}`, tabindex: labelled ? "0" : "-1",
          style: { width: `calc(${(100 * part.tokens) / scale}% - 1px)`, "--tone": tone(block, part) },
          onclick: () => reveal(part.id), onmouseenter: () => light(part.id, true), onmouseleave: () => light(part.id, false),
        }, labelled && part.tokens / scale > 0.07 ? shortened(shortName(part.id), 40) : "");
        remember(part.id, segment);
        return segment;
      });
      const rest = block.tokens - block.parts.reduce((sum, part) => sum + part.tokens, 0);
      const around = block.parts.length ? "around" : "";
      return [...parts, rest > 0 && el("div", {
        class: around, title: `${block.layer}: ${count(rest, "token")}${around ? " of labels and lines between" : ""}`,
        style: { width: `${(100 * rest) / scale}%`, ...(around ? {} : { "--tone": tone(block, {}) }) },
      })];
    }
    function remember(id, node) {
      if (!segmentsOf.has(id)) segmentsOf.set(id, []);
      segmentsOf.get(id).push(node);
    }
    function light(id, on) {
      for (const node of segmentsOf.get(id) || []) node.classList.toggle("lit", on);
    }

    function budget() {
      const payload = data.payload;
      const limit = payload.window || Math.max(payload.tokens, ...blocks.map((block) => block.limit));
      const out = blocks.flatMap((block) => block.left_out.map((each) => ({ ...each, layer: block.layer })));
      return section("budget", "What the model is given",
        `${count(payload.tokens, "token")} of ${WHOLE.format(limit)}${payload.reserve ? `, ${WHOLE.format(payload.reserve)} kept for the answer` : ""}`,
        el("div", { class: "bar", role: "group", "aria-label": "The budget and what fills it" },
          blocks.map((block) => segments(block, limit, true)),
          payload.reserve > 0 && el("div", { class: "reserve", title: `${count(payload.reserve, "token")} kept for the answer`,
            style: { width: `${(100 * payload.reserve) / limit}%` } })),
        el("div", { class: "scale number" }, el("span", {}, "0"), el("span", {}, WHOLE.format(Math.round(limit / 2))), el("span", {}, WHOLE.format(limit))),
        legend(),
        blocks.length > 1 && layers(),
        el("div", { class: "split" },
          el("div", {}, el("h3", {}, `In: ${count(inside.size, "part")}`),
            el("ol", { class: "items", tabindex: "0" }, blocks.flatMap((block) => block.parts.map((part) => partItem(block, part)))),
            inside.size === 0 && el("p", { class: "quiet" }, "The index gave nothing.")),
          el("div", {}, el("h3", {}, `Left out: ${count(out.length, "part")}`),
            el("ol", { class: "items", tabindex: "0" }, out.map(outItem)),
            out.length === 0 && el("p", { class: "quiet" }, "Nothing was left out."))));
    }
    function legend() {
      const named = blocks.length > 1
        ? blocks.filter((block) => block.tokens).map((block) => [block.layer, tone(block, {})])
        : ROLES.filter((role) => blocks.some((block) => block.parts.some((part) => part.role === role)))
          .map((role) => [role, tone(blocks[0], { role })]);
      return el("ul", { class: "legend" }, named.map(([name, colour]) => el("li", {}, el("i", { style: { "--tone": colour } }), name)));
    }
    function layers() {
      return el("div", { class: "layers" }, blocks.flatMap((block) => [
        el("span", { title: block.notes.join("\n") }, block.layer, block.cacheable && el("span", { class: "quiet" }, " cacheable")),
        el("div", { class: "bar small" }, segments(block, Math.max(block.limit, block.tokens, 1), false)),
        el("span", { class: "quiet number" }, `${WHOLE.format(block.tokens)} of ${WHOLE.format(Math.max(block.limit, block.tokens))}`)]));
    }
    function partItem(block, part) {
      const item = el("li", { onmouseenter: () => light(part.id, true), onmouseleave: () => light(part.id, false) },
        el("span", { class: "number" }, WHOLE.format(part.tokens)),
        el("div", {}, named(part.id), part.why && el("small", {}, part.why)),
        el("span", { class: "pill in" }, part.role || block.layer));
      remember(part.id, item);
      return item;
    }
    function outItem(each) {
      const id = each.id.replace(/^coderag:/, "");
      return el("li", {},
        el("span", { class: "number" }, each.tokens ? WHOLE.format(each.tokens) : "?"),
        el("div", {}, named(id), each.rule.length > 24 && el("small", {}, each.rule)),
        each.rule.length <= 24 && el("span", { class: "pill out" }, each.rule));
    }
    const split = (id) => id.includes("#") ? [id.slice(0, id.indexOf("#")), id.slice(id.indexOf("#") + 1)] : ["", id];
    function shortName(id) {
      const [path, symbol] = split(id);
      return symbol || path.replace(/^.*\//, "");
    }
    function named(id) {
      const [path, symbol] = split(id);
      const said = [el("b", {}, symbol || path), symbol && path && el("span", { class: "quiet" }, ` ${path}`)];
      return byId.has(id) || sentPieces.has(id)
        ? el("button", { class: "name", onclick: () => reveal(id) }, said) : el("span", { class: "name" }, said);
    }

    // Candidates

    for (const each of candidates) each.sides = [sum(each, 1), sum(each, -1)];
    const most = Math.max(1e-9, ...candidates.map((each) => each.sides[0])), least = Math.max(0, ...candidates.map((each) => each.sides[1]));
    function sum(candidate, sign) {
      return candidate.signals.reduce((total, [, , added]) => total + Math.max(sign * added, 0), 0);
    }
    function families(candidate, sign) {
      const found = new Map();
      for (const [number, , added] of candidate.signals) {
        if (sign * added <= 0) continue;
        const family = data.signals[number][1];
        found.set(family, (found.get(family) || 0) + Math.abs(added));
      }
      return [...found].sort(([one], [other]) => one - other);
    }
    function stacked(candidate) {
      const share = 100 / (most + least), axis = least * share;
      const stops = [];
      let place = axis - candidate.sides[1] * share;
      const stop = (colour, from, to) => stops.push(`${colour} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
      stop("transparent", 0, place);
      for (const sign of [-1, 1]) {
        for (const [family, size] of families(candidate, sign)) {
          stop(`var(--f${family})`, place, place + size * share);
          place += size * share;
        }
        if (sign < 0) { stop("var(--text)", axis - 0.25, axis + 0.25); place = axis; }
      }
      stop("transparent", place, 100);
      return `linear-gradient(90deg, ${stops.join(", ")})`;
    }
    function tally(candidate) {
      return candidate.signals.slice(0, 6).map(([number, , added]) => `${SIGN.format(added)}  ${data.signals[number][0]}`).join("\n");
    }

    const pillOf = (each) => each.state === "in" ? el("span", { class: "pill in" }, "in the input")
      : each.state === "out" ? el("span", { class: "pill out", title: each.rule }, shortened(each.rule, 22))
        : el("span", { class: "pill" }, "not offered");

    function row(candidate) {
      const head = el("button", { "aria-expanded": "false", onclick: () => toggle(candidate) },
        el("span", { class: "rank number" }, candidate.rank),
        el("span", { class: "ring number", style: { "--score": candidate.score.toFixed(4) }, title: `score ${candidate.score.toFixed(4)}` },
          candidate.score.toFixed(2).replace(/^0/, "")),
        el("span", { class: "title" },
          el("b", { class: "code" }, candidate.symbol || candidate.path || candidate.id),
          el("span", {}, [candidate.path + (candidate.lines[0] ? `:${candidate.lines[0]}` : ""), candidate.kind].filter(Boolean).join(" \u00b7 "),
            candidate.proposals.length > 0 && ` \u00b7 ${candidate.proposals.map(([name, rank]) => `${name} ${rank}`).join(", ")}`)),
        el("span", { class: "parts", style: { "background-image": stacked(candidate) }, title: tally(candidate) }),
        el("span", { class: "sides" }, pillOf(candidate),
          candidate.stale && el("span", { class: "pill stale" }, "changed since"), el("span", { class: "sorted number" })));
      return el("li", { class: candidate.rank > LATE ? "row late" : "row", "data-id": candidate.id }, head);
    }

    function toggle(candidate, open) {
      const item = rows.get(candidate.id);
      const wanted = open === undefined ? !item.classList.contains("open") : open;
      item.classList.toggle("open", wanted);
      item.firstChild.setAttribute("aria-expanded", String(wanted));
      if (!wanted) item.querySelector(".detail")?.remove();
      else if (!item.querySelector(".detail")) item.append(detail(candidate));
    }

    function detail(candidate) {
      return el("div", { class: "detail" },
        reasons(candidate),
        el("div", {}, candidate.text ? listing(candidate, data) : el("p", { class: "quiet" }, "The record does not hold its text.")));
    }
    const reasons = (candidate) => el("div", { class: "reasons" }, buttons(candidate), recalled(candidate), fall(candidate));
    function buttons(candidate) {
      return el("div", { class: "buttons" },
        el("button", { class: "action compare", onclick: () => pin(candidate) },
          pinned === candidate ? "Stop comparing" : "Compare others with this"),
        inside.has(candidate.id) && el("button", { class: "action", onclick: () => sentPart(candidate.id) }, "Show in the input"),
        el("button", { class: "action", onclick: (event) => copy(candidate.id, event.currentTarget) }, "Copy its id"));
    }
    function recalled(candidate) {
      if (isRecord) return null;
      const said = candidate.proposals.map(([name, rank, why]) =>
        el("li", {}, `${name} `, el("b", {}, `#${rank}`), why && el("small", {}, ` ${shortened(why, 180)}`)));
      return [el("h3", {}, "Recalled by"),
        el("ul", { class: "recalled" }, said.length ? said : el("li", {}, "no recaller: it came through what uses it"))];
    }

    function fall(candidate) {
      if (!candidate.signals.length) return el("p", { class: "quiet" }, "The record does not hold its signals.");
      return pinned && pinned !== candidate ? gaps(candidate) : waterfall(candidate);
    }
    function waterfall(candidate) {
      const steps = [];
      const said = new Set(candidate.proposals.map(([, , why]) => why)); // above, by who recalled it
      let level = data.bias;
      for (const [number, value, added, why] of candidate.signals) {
        steps.push({ name: data.signals[number][0], family: data.signals[number][1], value, added, why, from: level });
        level += added;
      }
      const edges = steps.flatMap(({ from, added }) => [from, from + added]);
      const low = Math.min(...edges), width = Math.max(...edges) - low || 1;
      return el("table", { class: "fall" },
        caption("Signals", "value", "adds"),
        !isRecord && el("tr", { class: "quiet" }, el("th", {}, "every score begins at"), el("td"), el("td", { class: "number" }, SIGN.format(data.bias)), el("td")),
        steps.map((step) => line(step.name, said.has(step.why) ? "" : step.why, step.value.toFixed(2), step.added, step.family,
          (Math.min(step.from, step.from + step.added) - low) / width, Math.abs(step.added) / width)),
        !isRecord && el("tr", { class: "total" }, el("th", {}, "log-odds"), el("td"), el("td", { class: "number" }, SIGN.format(level)),
          el("td", { class: "quiet" }, ` a score of ${chance(level).toFixed(3)}`)));
    }
    function gaps(candidate) {
      const numbers = new Set([...candidate.added.keys(), ...pinned.added.keys()]);
      const found = [...numbers].map((number) => ({ number, gap: (candidate.added.get(number) || 0) - (pinned.added.get(number) || 0) }))
        .filter(({ gap }) => Math.abs(gap) > 0.005).sort((one, other) => Math.abs(other.gap) - Math.abs(one.gap));
      const reach = Math.max(1e-9, ...found.map(({ gap }) => Math.abs(gap)));
      const total = found.reduce((whole, { gap }) => whole + gap, 0);
      return el("table", { class: "fall" },
        caption(`Beside ${shortened(pinned.symbol || pinned.id, 34)}`, "", "gap"),
        found.map(({ number, gap }) => line(data.signals[number][0], "", "", gap, data.signals[number][1],
          gap < 0 ? 0.5 - Math.abs(gap) / reach / 2 : 0.5, Math.abs(gap) / reach / 2)),
        el("tr", { class: "total" }, el("th", {}, total < 0 ? "behind" : "ahead"), el("td"), el("td", { class: "number" }, SIGN.format(total)), el("td")));
    }
    const caption = (...names) => el("tr", { class: "quiet" }, names.map((name, place) => el("th", { class: place && "number" }, name)), el("th"));
    function line(name, why, value, added, family, from, size) {
      return el("tr", {},
        el("th", {}, name, why && el("small", {}, shortened(why, 120))),
        el("td", { class: "number quiet" }, value),
        el("td", { class: "number" }, SIGN.format(added)),
        el("td", { class: "plot" }, el("div", { class: added < 0 ? "step down" : "step",
          style: { "--tone": `var(--f${family})`, "--from": from.toFixed(4), "--size": size.toFixed(4) } })));
    }

    function pin(candidate) {
      pinned = pinned === candidate ? null : candidate;
      for (const [id, item] of rows) {
        item.classList.toggle("pinned", pinned !== null && id === pinned.id);
        item.querySelector(".reasons")?.replaceWith(reasons(byId.get(id)));
      }
      tell(pinned ? `Others are compared with ${pinned.symbol || pinned.id}` : "No comparison");
    }

    // Filter and sort

    const wanted = { text: "", states: new Set(), recallers: new Set(), language: "", kind: "", sort: "rank" };
    const STATES = [["in", "in the input"], ["out", "left out"], ["below", "not offered"]];
    const list = el("ol", { class: "rows" });
    const shownCount = el("span", { class: "quiet number", role: "status" });
    const nothing = el("p", { class: "empty", hidden: true }, candidates.length ? "No candidate passes the filter." : "There are no candidates.");

    function passes(each) {
      return (!wanted.language || each.language === wanted.language)
        && (!wanted.kind || each.kind === wanted.kind)
        && (!wanted.states.size || wanted.states.has(each.state))
        && (!wanted.recallers.size || [...wanted.recallers].some((name) => each.recallers.has(name)))
        && wanted.text.split(/\s+/).filter(Boolean).every((word) =>
          word.length > 1 && word[0] === "-" ? !each.haystack.includes(word.slice(1)) : each.haystack.includes(word));
    }
    const ORDERS = {
      rank: (each) => [each.rank],
      path: (each) => [each.path, each.lines[0]],
      longest: (each) => [-each.text.length],
    };
    function keyOf(each) {
      if (ORDERS[wanted.sort]) return [...ORDERS[wanted.sort](each), each.rank];
      const [what, name] = [wanted.sort[0], wanted.sort.slice(1)];
      return what === "r" ? [each.recallers.get(name) ?? Infinity, each.rank] : [-(each.added.get(Number(name)) || 0), each.rank];
    }
    function compare(one, other) {
      for (let place = 0; place < one.length; place += 1) {
        if (one[place] < other[place]) return -1;
        if (one[place] > other[place]) return 1;
      }
      return 0;
    }
    function apply() {
      let shown = 0;
      for (const each of candidates) {
        const item = rows.get(each.id);
        item.hidden = !passes(each);
        shown += !item.hidden;
        const signal = wanted.sort[0] === "s" ? each.added.get(Number(wanted.sort.slice(1))) || 0 : null;
        item.querySelector(".sorted").textContent = signal === null ? "" : SIGN.format(signal);
      }
      shownCount.textContent = `${WHOLE.format(shown)} of ${WHOLE.format(candidates.length)}${
        data.total > candidates.length ? ` (${WHOLE.format(data.total)} were ranked)` : ""}`;
      nothing.hidden = shown > 0;
    }
    function arrange() {
      const keyed = candidates.map((each) => [keyOf(each), rows.get(each.id)]).sort(([one], [other]) => compare(one, other));
      list.append(...keyed.map(([, item]) => item));
      apply();
    }

    const filter = el("input", { class: "filter", type: "search", placeholder: "Filter by name, path or code; -word leaves out  ( / )",
      "aria-label": "Filter candidates", spellcheck: "false",
      oninput: (event) => { wanted.text = event.target.value.toLowerCase(); apply(); } });
    const sorter = el("select", { "aria-label": "Sort candidates", onchange: (event) => { wanted.sort = event.target.value; arrange(); } },
      el("option", { value: "rank" }, "score"), el("option", { value: "path" }, "path"), el("option", { value: "longest" }, "length of code"),
      data.recallers.length > 0 && el("optgroup", { label: "Rank by a recaller" },
        data.recallers.map(([name]) => el("option", { value: `r${name}` }, name))),
      data.signals.length > 0 && el("optgroup", { label: "What a signal adds" },
        data.signals.map(([name], number) => el("option", { value: `s${number}` }, name))));
    function choice(field, label) {
      const values = [...new Set(candidates.map((each) => each[field]))].filter(Boolean).sort();
      return values.length > 1 && el("label", {}, label,
        el("select", { onchange: (event) => { wanted[field] = event.target.value; apply(); } },
          el("option", { value: "" }, "all"), values.map((value) => el("option", { value }, value))));
    }
    function chips(names, chosen, tally) {
      return names.filter(([value]) => tally(value)).map(([value, label]) => el("button", {
        class: "chip", "aria-pressed": "false",
        onclick: (event) => {
          const on = !chosen.has(value);
          if (on) chosen.add(value); else chosen.delete(value);
          event.currentTarget.setAttribute("aria-pressed", String(on));
          apply();
        },
      }, label, " ", el("span", { class: "number" }, WHOLE.format(tally(value)))));
    }

    function candidateList() {
      for (const each of candidates) rows.set(each.id, row(each));
      const families = [...new Set(data.signals.map(([, family]) => family))].sort((one, other) => one - other);
      const made = section("candidates", "Candidates", "what was ranked, and why each is where it is");
      made.append(
        el("div", { class: "more" },
          el("div", { class: "chips" },
            chips(STATES, wanted.states, (state) => candidates.filter((each) => each.state === state).length),
            data.recallers.length > 0 && el("span", { class: "quiet" }, "recalled by"),
            chips(data.recallers.map(([name]) => [name, name]), wanted.recallers, (name) => candidates.filter((each) => each.recallers.has(name)).length)),
          el("ul", { class: "legend" }, families.map((number) => el("li", { title: data.families[number][1] },
            el("i", { style: { "--tone": `var(--f${number})` } }), data.families[number][0])),
            families.length > 0 && el("li", {}, "left of the line lowers, right of it raises"))),
        el("div", { class: "tools" }, filter, el("label", {}, "sort by", sorter), choice("language", "language"), choice("kind", "kind"), shownCount),
        list, nothing);
      arrange();
      return made;
    }

    function reveal(id) {
      const candidate = byId.get(id);
      if (!candidate) return sentPart(id);
      const item = rows.get(id);
      if (item.hidden) clear();
      toggle(candidate, true);
      item.scrollIntoView({ block: "start" });
      scrollBy(0, -document.querySelector(".tools").offsetHeight * (getComputedStyle(document.querySelector(".tools")).position === "sticky"));
      item.firstChild.focus({ preventScroll: true });
      item.classList.add("found");
      setTimeout(() => item.classList.remove("found"), 1500);
    }
    function clear() {
      filter.value = wanted.text = "";
      wanted.language = wanted.kind = "";
      wanted.states.clear();
      wanted.recallers.clear();
      for (const each of document.querySelectorAll(".tools select")) if (each !== sorter) each.value = "";
      for (const each of document.querySelectorAll(".chip")) each.setAttribute("aria-pressed", "false");
      apply();
    }

    // The neighbourhood

    const WIDTH = 1180, NODE = 300, HIGH = 38, GAP = 12, TOP = 30;
    function graph() {
      const { nodes, edges } = data.graph;
      if (!edges.length) return section("graph", "Neighbourhood", "",
        el("p", { class: "empty" }, isRecord ? "A record does not hold the graph." : "No edges lead to or from the first hits."));
      const columns = sorted(nodes, edges);
      const places = new Map();
      const height = TOP + Math.max(...columns.map((column) => column.length)) * (HIGH + GAP) + GAP;
      columns.forEach((column, number) => {
        const from = TOP + (height - TOP - column.length * (HIGH + GAP)) / 2;
        column.forEach((node, place) => places.set(node, { x: (number * (WIDTH - NODE)) / 2, y: from + place * (HIGH + GAP), column: number }));
      });
      const said = el("ul", { class: "said", "aria-live": "polite" });
      const drawing = svg("svg", { viewBox: `-2 0 ${WIDTH + 4} ${height}`, role: "group", "aria-label": "The neighbourhood of the first hits" },
        svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: "7.5", refY: "4", markerWidth: "6", markerHeight: "6", orient: "auto-start-reverse" },
          svg("path", { d: "M0 0.8 L8 4 L0 7.2 z", fill: "context-stroke" }))),
        ["What uses them", "The first hits", "What they use"].map((text, number) =>
          svg("text", { class: "heading", x: (number * (WIDTH - NODE)) / 2 + 2, y: 16 }, text)));
      const lines = bundled(edges).map((bundle) => {
        const line = svg("path", { class: `edge ${bundle[0][3]}`, d: path(places.get(bundle[0][0]), places.get(bundle[0][1])), "marker-end": "url(#arrow)" },
          svg("title", {}, bundle.map(inWords).join("\n")));
        drawing.append(line);
        return [bundle, line];
      });
      const drawn = nodes.map((node, number) => {
        const drawing_ = nodeOf(node, places.get(number), (on) => touch(number, on));
        drawing.append(drawing_);
        return drawing_;
      });
      function touch(number, on) {
        drawing.classList.toggle("busy", on);
        drawn[number].classList.toggle("near", on);
        const own = lines.filter(([[edge]]) => edge[0] === number || edge[1] === number);
        for (const [[edge], line] of own) {
          line.classList.toggle("lit", on);
          drawn[edge[0]].classList.toggle("near", on);
          drawn[edge[1]].classList.toggle("near", on);
        }
        const words = own.flatMap(([bundle]) => bundle.map((edge) => el("li", {}, inWords(edge))));
        said.replaceChildren(...(on ? words.slice(0, 8) : []), ...(on && words.length > 8 ? [el("li", {}, `and ${words.length - 8} more`)] : []));
      }
      function inWords([from, to, kind, sure, weight, name, at]) {
        const certainty = sure === "ambiguous" ? `ambiguous, 1 of ${Math.round(1 / weight)}` : sure;
        return `${nodes[from].symbol || nodes[from].path} ${kind} ${name || nodes[to].symbol} of ${nodes[to].path} (${certainty}${at.length ? `; line ${at.join(", ")}` : ""})`;
      }
      return section("graph", "Neighbourhood", "the edges of the first hits; point at one to follow them",
        el("div", { class: "canvas" }, drawing), said,
        el("ul", { class: "legend" }, ["exact", "scoped", "unique-name", "ambiguous"].filter((sure) => edges.some((edge) => edge[3] === sure))
          .map((sure) => el("li", {}, el("span", { class: `dash ${sure}` }), sure))));
    }
    function sorted(nodes, edges) {
      const numbers = nodes.map((_, number) => number);
      const hits = numbers.filter((number) => nodes[number].hit);
      const place = new Map(hits.map((number, at) => [number, at]));
      const isHit = (number) => nodes[number].hit;
      const after = new Set(edges.filter(([from, to]) => isHit(from) && !isHit(to)).map(([, to]) => to));
      const before = new Set(edges.filter(([from, to]) => !isHit(from) && isHit(to)).map(([from]) => from));
      const middle = (number) => {
        const ends = edges.filter(([from, to]) => from === number || to === number).map(([from, to]) => place.get(from === number ? to : from));
        return ends.reduce((whole, each) => whole + each, 0) / ends.length;
      };
      const side = (chosen) => chosen.map((number) => [middle(number), number]).sort(compare).map(([, number]) => number);
      const others = numbers.filter((number) => !isHit(number));
      return [side(others.filter((number) => before.has(number))), hits, side(others.filter((number) => after.has(number) && !before.has(number)))];
    }
    function bundled(edges) {
      const found = new Map();
      for (const edge of edges) {
        const key = `${edge[0]} ${edge[1]}`;
        if (!found.has(key)) found.set(key, []);
        found.get(key).push(edge);
      }
      return [...found.values()];
    }
    function path(from, to) {
      const [y1, y2] = [from.y + HIGH / 2, to.y + HIGH / 2];
      if (from.column === to.column) {
        const x = from.x + NODE, bend = 34 + Math.min(Math.abs(y2 - y1) / 6, 70);
        return `M${x} ${y1} C${x + bend} ${y1} ${x + bend} ${y2} ${x} ${y2}`;
      }
      const right = from.column < to.column;
      const x1 = right ? from.x + NODE : from.x, x2 = right ? to.x : to.x + NODE, middle = (x1 + x2) / 2;
      return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
    }
    function nodeOf(node, place, touch) {
      const rank = byId.get(node.id)?.rank;
      const name = node.symbol || node.path.replace(/^.*\//, "");
      const [users, used] = node.more;
      const more = [users && `${users} more use it`, used && `uses ${used} more`].filter(Boolean).join(", ");
      const open = () => { if (byId.has(node.id)) reveal(node.id); };
      return svg("g", { class: node.hit ? "node hit" : "node", tabindex: "0", role: "button", "aria-label": `${node.symbol || node.path}, ${node.kind} in ${node.path}`,
        transform: `translate(${place.x} ${place.y})`, onmouseenter: () => touch(true), onmouseleave: () => touch(false),
        onfocus: () => touch(true), onblur: () => touch(false), onclick: open,
        onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(); } } },
        svg("title", {}, `${node.id}\n${node.kind}${more ? `\n${more}` : ""}`),
        svg("rect", { width: NODE, height: HIGH, rx: 8 }),
        svg("text", { x: 10, y: 16 }, (rank ? `${rank}. ` : "") + ends(name, 38)),
        svg("text", { class: "under", x: 10, y: 30 }, `${ends(`${node.path}:${node.line}`, more ? 30 : 52)}${more ? ` \u00b7 ${more}` : ""}`));
    }
    const ends = (text, room) => (text.length > room ? `\u2026${text.slice(1 - room)}` : text);

    // The rendered input

    function input() {
      const text = blocks.map((block) => block.text.map(([piece]) => piece).join("")).filter(Boolean);
      const body = el("pre", { class: "sent", tabindex: "0", "aria-label": "The input as it is sent" });
      blocks.filter((block) => block.text.length).forEach((block, place) => {
        if (place) body.append("\n\n");
        for (const [piece, number] of block.text) {
          const part = number < 0 ? null : block.parts[number];
          const span = el("span", part ? { class: "part", style: { "--tone": tone(block, part) } } : { class: "between" }, piece.replace(/^\n+|\n+$/g, ""));
          if (part) { sentPieces.set(part.id, span); remember(part.id, span); }
          if (span.textContent) body.append(span);
        }
      });
      return section("input", "The input as it is sent", count(data.payload.tokens, "token"),
        el("div", { class: "buttons" }, text.length > 0 && el("button", { class: "action", onclick: (event) => copy(text.join("\n\n"), event.currentTarget) }, "Copy all of it")),
        text.length ? body : el("p", { class: "empty" }, "Nothing would be sent."));
    }
    function sentPart(id) {
      const span = sentPieces.get(id);
      if (!span) return;
      document.getElementById("input").scrollIntoView({ block: "start" });
      span.parentNode.scrollTop = span.offsetTop - span.parentNode.offsetTop - 20;
      light(id, true);
      setTimeout(() => light(id, false), 1500);
    }

    // Keys

    function focusRow(step) {
      const shown = [...list.children].filter((item) => !item.hidden).map((item) => item.firstChild);
      const at = shown.indexOf(document.activeElement?.closest?.(".row")?.firstChild);
      const next = shown[Math.min(Math.max(at + step, 0), shown.length - 1)];
      if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
    }
    const current = () => byId.get(document.activeElement?.closest?.(".row")?.dataset.id);
    const SECTIONS = ["budget", "candidates", "graph", "input"];
    const KEYS = {
      "/": () => { filter.focus(); filter.select(); document.getElementById("candidates").scrollIntoView(); },
      j: () => focusRow(1), ArrowDown: () => focusRow(1), k: () => focusRow(-1), ArrowUp: () => focusRow(-1),
      s: () => sorter.focus(), c: () => { if (current()) pin(current()); },
      x: () => { for (const each of [...rows.values()].filter((item) => item.classList.contains("open"))) toggle(byId.get(each.dataset.id), false); },
      t: turnTheme, "?": () => help.showModal(),
    };
    function onKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
      if (event.key === "Escape") {
        if (event.target === filter || !event.target.closest("input, select, textarea")) { clear(); event.target.blur?.(); }
        return;
      }
      if (event.target.closest("input, select, textarea")) return;
      if (event.key.startsWith("Arrow") && !current()) return;
      const act = KEYS[event.key] || (SECTIONS[event.key - 1] && (() => document.getElementById(SECTIONS[event.key - 1]).scrollIntoView()));
      if (act) { event.preventDefault(); act(); }
    }

    const help = el("dialog", {}, el("h2", {}, "Keys"),
      el("dl", {}, [["/", "filter the candidates"], ["j k", "next and previous candidate"], ["Enter", "open or close it: signals, code"],
        ["c", "compare the others with it"], ["x", "close all"], ["s", "choose the order"], ["1 \u2013 4", "budget, candidates, neighbourhood, input"],
        ["t", "light or dark"], ["Esc", "clear the filters"]].flatMap(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
      el("form", { method: "dialog" }, el("button", { class: "action" }, "Close")));

    function section(id, title, about, ...children) {
      return el("section", { id, "aria-labelledby": `${id}-title` },
        el("header", {}, el("h2", { id: `${id}-title` }, title), about && el("p", {}, about)),
        children.length > 0 && el("div", { class: "body" }, children));
    }
    const status = el("div", { class: "visually-hidden", role: "status" });
    const tell = (words) => { status.textContent = words; };
    async function copy(text, button) {
      const before = button.textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch { button.textContent = "The browser refused"; }
      setTimeout(() => { button.textContent = before; }, 1500);
    }

    const controls = new AbortController();
    document.addEventListener("keydown", onKey, { signal: controls.signal });
    const sent = input(); // first, for the others lead to its parts
    const built = [budget(), candidateList(), graph(), sent];
    app.replaceChildren(
      el("div", { class: "top" },
        el("div", { class: "brand" }, "code", el("span", {}, "rag"), " inspect"),
        el("nav", { "aria-label": "Sections" },
          el("a", { href: "#budget" }, "Budget", el("b", { class: "number" }, WHOLE.format(data.payload.tokens))),
          el("a", { href: "#candidates" }, "Candidates", el("b", { class: "number" }, WHOLE.format(candidates.length))),
          el("a", { href: "#graph" }, "Neighbourhood", el("b", { class: "number" }, WHOLE.format(data.graph.nodes.length))),
          el("a", { href: "#input" }, "Input")),
        el("button", { class: "icon", title: "Light or dark (t)", "aria-label": "Light or dark", onclick: turnTheme }, "\u25d0"),
        el("button", { class: "icon", title: "Keys (?)", "aria-label": "Keys", onclick: () => help.showModal() }, "?")),
      hero(), el("main", {}, built), el("footer", {}, "Made by coderag inspect. Press ? for the keys."), help, status);
    return () => controls.abort();
  }

  // Live

  function live() {
    let stop = null;
    const given = new URLSearchParams(location.search);
    const field = (name, attributes) => el("input", { name, value: given.get(name) || "", autocomplete: "off", spellcheck: "false", ...attributes });
    const question = el("textarea", { name: "query", class: "wide", rows: "1", spellcheck: "false", "aria-label": "Question",
      placeholder: "Ask: words, a symbol, code or a stack trace",
      onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); } } },
      given.get("query") || "");
    const focus = field("focus", { placeholder: "focus PATH:LINE", "aria-label": "Focus" });
    const budget = field("budget", { type: "number", min: "1", placeholder: "tokens", "aria-label": "Budget in tokens" });
    const policy = el("select", { name: "policy", "aria-label": "Policy" }, ["balanced", "compact", "expansive"].map((name) =>
      el("option", { value: name, selected: given.get("policy") === name }, name)));
    const go = el("button", { class: "go" }, "Ask");
    const problem = el("p", { class: "problem", role: "alert" });
    const form = el("form", { class: "ask", onsubmit: (event) => { event.preventDefault(); ask(true); } }, question, focus, budget, policy, go);
    const asking = el("div", {}, form, problem);

    async function ask(remembered) {
      const asked = new URLSearchParams([["query", question.value], ["focus", focus.value], ["budget", budget.value], ["policy", policy.value]]
        .filter(([, value]) => value));
      go.disabled = true;
      problem.textContent = "";
      try {
        const answer = await fetch(`ask?${asked}`);
        const found = await answer.json();
        if (!answer.ok) throw new Error(found.error);
        if (remembered) history.replaceState(null, "", `?${asked}`);
        stop?.();
        stop = show(found, asking);
      } catch (error) {
        problem.textContent = error.message;
      } finally {
        go.disabled = false;
      }
    }
    app.replaceChildren(el("div", { class: "hero alone" }, el("div", { class: "brand" }, "code", el("span", {}, "rag"), " inspect"), el("h1", {}, "What would a model be shown?"), asking));
    if (given.get("query") || given.get("focus")) ask(false); else question.focus();
  }

  if (loaded.live) live(); else show(loaded, null);
})();
