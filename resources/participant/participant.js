// The participant page's own script: says at once what the service would say, and keeps what is typed.
// Everything works without it: the service checks every page again.
"use strict";

(() => {
  const form = document.getElementById("answers");
  const page = JSON.parse(document.getElementById("page-data").textContent);
  const texts = JSON.parse(document.getElementById("page-texts").textContent);
  const summary = document.getElementById("faults");
  const button = form.querySelector("button.primary");
  const title = document.title;
  const label = button.textContent;
  const SEND_AGAIN_MS = 15_000;

  // Words

  const filled = (template, values) =>
    template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

  const counted = (pair, count, values) => filled(pair[count === 1 ? 0 : 1], values);

  // Answers, as `layout/answers` judges them

  const control = (name) => form.elements.namedItem(name);
  const typed = (name) => control(name)?.value ?? "";
  const length = (text) => Array.from(text).length;
  const isNumber = (value) => typeof value === "number";
  const given = (value, standard) => (value === null || value === undefined ? standard : value);
  const isObject = (one) => typeof one === "object" && one !== null && !Array.isArray(one);
  const objects = (given) => (Array.isArray(given) ? given.filter(isObject) : []);

  const chosen = (n) =>
    Array.from(form.elements)
      .filter((one) => one.name === `i${n}`)
      .flatMap((one) => (one.tagName === "SELECT" ? [one.value] : one.checked ? [one.value] : []))
      .filter((value) => value !== "")
      .map(Number);

  function* typedFaults(text, rule) {
    const limits = isObject(rule) ? rule : {};
    const { min, max } = limits;
    if (limits.type === "number") {
      if (!text.trim()) yield texts.answer;
      else if (!/^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text.trim())) yield texts.number;
      else if (isNumber(min) && Number(text) < min) yield filled(texts.at_least, { least: min });
      else if (isNumber(max) && Number(text) > max) yield filled(texts.at_most, { most: max });
      return;
    }
    const least = limits.type === "string" && isNumber(min) ? min : 0;
    const most = limits.type === "string" && isNumber(max) ? max : Infinity;
    const count = length(text);
    if (!text.trim()) {
      if (most !== 0) yield texts.answer;
    } else if (count < least) yield counted(texts.longer, least, { least, count });
    else if (count > most) yield counted(texts.shorter, most, { most, count });
  }

  function* unitFaults(item, n) {
    const unit = control(`i${n}.u`)?.value ?? "";
    const option = unit === "" ? null : objects(item.unit_options)[Number(unit)];
    yield* typedFaults(typed(`i${n}`), option?.validation);
    if (!option) yield texts.unit;
  }

  const limitOf = (item) =>
    Number.isInteger(item.answer_limit) && item.answer_limit !== -1 ? item.answer_limit : objects(item.options).length;

  function* choiceFaults(item, n) {
    const picked = chosen(n);
    const limit = limitOf(item);
    if (!picked.length) {
      yield texts.option;
      return;
    }
    if (picked.length > limit) yield counted(texts.fewer_options, limit, { limit });
    for (const k of picked) {
      const { label, exclusive } = objects(item.options)[k];
      if (exclusive === true && picked.length > 1) yield filled(texts.exclusive, { label });
    }
    if (item.type !== "multiple_choice_with_free_text") return;
    for (const k of picked) {
      if (!typed(`i${n}.e${k}`).trim()) yield filled(texts.explain, { label: objects(item.options)[k].label });
    }
  }

  function* fileFaults(item, n) {
    const input = document.getElementById(`i${n}`);
    const kept = form.querySelectorAll(`[name="i${n}.k"]:checked`).length;
    const files = Array.from(input.files);
    const fewest = given(item.min_file_count, 1);
    const most = given(item.max_file_count, 10);
    const size = given(item.max_file_size_mb, 25);
    const types = input.accept.split(",");
    if (kept + files.length < fewest) yield counted(texts.more_files, fewest, { fewest });
    if (kept + files.length > most) yield counted(texts.fewer_files, most, { most });
    for (const { name, size: bytes } of files) {
      const fits = types.some((type) => name.toLowerCase().endsWith(type.toLowerCase()));
      if (!fits) yield filled(texts.file_type, { name, types: types.join(", ") });
      if (!bytes && size * 1024 * 1024 >= 1) yield filled(texts.file_empty, { name });
      else if (bytes > size * 1024 * 1024) yield filled(texts.file_size, { name, size });
    }
  }

  const judges = {
    free_text: (item, n) => typedFaults(typed(`i${n}`), item.validation),
    free_text_with_unit: unitFaults,
    multiple_choice: choiceFaults,
    multiple_choice_with_free_text: choiceFaults,
    file_upload: fileFaults,
  };

  const faultsOf = (n) => [...judges[page.instructions[n].type](page.instructions[n], n)];

  // Showing what is wrong

  const boxOf = (n) => document.getElementById(`i${n}-question`);
  const firstControl = (n) => (document.getElementById(`i${n}`) ? `i${n}` : `i${n}-0`);

  function paragraph(text) {
    const one = document.createElement("p");
    one.textContent = text;
    return one;
  }

  function mark(n, faults) {
    const note = document.getElementById(`i${n}-fault`);
    note.replaceChildren(...faults.map(paragraph));
    note.hidden = !faults.length;
    boxOf(n).classList.toggle("faulty", faults.length > 0);
    for (const one of boxOf(n).querySelectorAll("[name]")) {
      if (faults.length) one.setAttribute("aria-invalid", "true");
      else one.removeAttribute("aria-invalid");
    }
  }

  function line(n, fault) {
    const link = document.createElement("a");
    link.href = `#${firstControl(n)}`;
    const question = document.createElement("bdi");
    question.textContent = page.instructions[n].description;
    link.append(question, ` ${fault}`);
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  }

  function summarise(all) {
    const faulty = all.filter((faults) => faults.length).length;
    summary.hidden = !faulty;
    summary.querySelector("h2").textContent = counted(texts.heading, faulty, { count: faulty });
    summary.querySelector("ul").replaceChildren(...all.flatMap((faults, n) => faults.map((fault) => line(n, fault))));
    document.title = faulty ? filled(texts.error_title, { title }) : title;
    return faulty;
  }

  form.addEventListener("submit", (event) => {
    if (button.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      return;
    }
    const all = page.instructions.map((_item, n) => faultsOf(n));
    all.forEach((faults, n) => mark(n, faults));
    if (summarise(all)) {
      event.preventDefault();
      summary.focus();
      return;
    }
    showSending(true);
    if (!window.navigation) setTimeout(() => showSending(false), SEND_AGAIN_MS);
  });

  function showSending(sending) {
    noteSending(sending);
    button.setAttribute("aria-disabled", String(sending));
    button.textContent = sending ? texts.sending : label;
  }

  // The browser was told to stop. One that does not report it lets the page be sent again after a while.
  window.navigation?.addEventListener("navigateerror", () => showSending(false));

  summary.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    const target = document.getElementById(link.hash.slice(1));
    boxOf(Number(/^i(\d+)/.exec(target.id)[1])).scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  });

  // While answering: the error of a valid answer goes, an exclusive option stands alone, counts are announced

  function standAlone(input) {
    if (!input.checked || input.type !== "checkbox" || !input.closest(".options")) return;
    const exclusive = input.hasAttribute("data-exclusive");
    for (const other of input.closest(".options").querySelectorAll("input[type=checkbox]")) {
      if (other !== input && (exclusive || other.hasAttribute("data-exclusive"))) other.checked = false;
    }
  }

  function counter(n) {
    const box = boxOf(n);
    const found = box.querySelector(".counter");
    if (found) return found;
    const made = paragraph("");
    made.className = "counter";
    box.append(made);
    return made;
  }

  function count(item, n) {
    if (item.type === "free_text" && item.validation?.type === "string" && isNumber(item.validation.max)) {
      const values = { count: length(typed(`i${n}`)), most: item.validation.max };
      counter(n).textContent = filled(texts.characters, values);
    }
    if (limitOf(item) > 1 && limitOf(item) < objects(item.options).length) {
      counter(n).textContent = filled(texts.chosen, { count: chosen(n).length, limit: limitOf(item) });
    }
  }

  function explain(item, n) {
    const select = document.getElementById(`i${n}`);
    if (item.type !== "multiple_choice_with_free_text" || select?.tagName !== "SELECT") return;
    for (const one of boxOf(n).querySelectorAll(".explanation")) {
      one.closest(".option").hidden = one.dataset.option !== select.value;
    }
  }

  function refresh(n) {
    count(page.instructions[n], n);
    explain(page.instructions[n], n);
  }

  function changed(event) {
    const box = event.target.closest("[data-question]");
    if (!box) return;
    const n = Number(box.dataset.question);
    standAlone(event.target);
    refresh(n);
    if (box.classList.contains("faulty")) mark(n, faultsOf(n));
    remember();
  }

  form.addEventListener("input", changed);
  form.addEventListener("change", changed);

  // A draft outlasts a reload and the Back button; sending the page ends it

  const draftName = page.submission_id && `batchwright:${page.submission_id}:${page.step}`;
  const SENT = "batchwright:sent";
  const fields = () => Array.from(form.elements).filter((one) => /^i\d/.test(one.name) && one.type !== "file");
  const isTicked = (one) => one.type === "radio" || one.type === "checkbox";
  const place = (one) => (isTicked(one) ? `${one.name} ${one.value}` : one.name);

  // Without storage, which a browser may block or limit, there are no drafts.
  function withStorage(use) {
    try {
      return use(sessionStorage);
    } catch (fault) {
      console.warn("The draft is not kept:", fault.name);
      return null;
    }
  }

  function remember() {
    if (!draftName) return;
    const draft = fields().map((one) => [place(one), one.value, one.checked === true]);
    withStorage((storage) => storage.setItem(draftName, JSON.stringify(draft)));
  }

  function recall() {
    const kept = draftName && withStorage((storage) => storage.getItem(draftName));
    if (!kept || !summary.hidden) return;
    const found = new Map(fields().map((one) => [place(one), one]));
    for (const [name, value, checked] of JSON.parse(kept)) {
      const one = found.get(name);
      if (!one) continue;
      if (isTicked(one)) one.checked = checked;
      else one.value = value;
    }
  }

  function noteSending(sending) {
    if (draftName) withStorage((storage) => (sending ? storage.setItem(SENT, draftName) : storage.removeItem(SENT)));
  }

  function forgetSent() {
    // A page was taken when another one follows on it.
    const sent = draftName && withStorage((storage) => storage.getItem(SENT));
    if (sent && sent !== draftName) withStorage((storage) => storage.removeItem(sent));
    noteSending(false);
  }

  // Images and recordings that do not come

  for (const media of document.querySelectorAll("figure :is(img, audio, video)")) {
    const image = media.tagName === "IMG";
    const replace = () => {
      const alt = image ? media.alt : media.getAttribute("aria-label");
      const note = paragraph(filled(image ? texts.image_failed : texts.media_failed, { alt }));
      note.className = "note";
      media.replaceWith(note);
    };
    if (image ? media.complete && media.naturalWidth === 0 : media.error) replace();
    else media.addEventListener("error", replace);
  }

  // A table too wide scrolls by itself, and keys reach only what can have the focus

  for (const table of document.querySelectorAll(".rich table")) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
  }

  document.documentElement.classList.add("scripted");
  forgetSent();
  recall();
  page.instructions.forEach((_item, n) => refresh(n));
  if (!summary.hidden) summary.focus();
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
})();
