// Everything works without this file. It adds keyboard shortcuts, search as you type, the live feed, and drag and drop.
// Text from pages is only ever set as textContent.
"use strict";

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const pagePath = (page) => "/page?" + new URLSearchParams({ site: page.site, section: page.section, url: page.url });

// Keys: / searches, j and k go through the rows of a list, Enter opens (as it does for every link).
const rows = () => Array.from(document.querySelectorAll("[data-row]"));

const moveBy = (step) => {
  const all = rows();
  if (all.length === 0) return;
  const at = all.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
  all[next].focus();
  all[next].scrollIntoView({ block: "nearest" });
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest?.("input, textarea, select");
  if (event.key === "Escape" && field) return field.blur();
  if (field) return;
  if (event.key === "/") {
    const search = document.querySelector("#search input") ?? document.querySelector("#find");
    if (!search) return;
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === "j") {
    moveBy(1);
  } else if (event.key === "k") {
    moveBy(-1);
  }
});

// Search as you type: the newest request wins.
const showResults = (list, count, answer) => {
  count.textContent = answer.error ?? (answer.results.length === 0 ? "Nothing found" : `${answer.estimated ? "about " : ""}${answer.total.toLocaleString("en")} ${answer.total === 1 ? "page" : "pages"}`);
  if (answer.suggestion) {
    count.append("; did you mean ", element("a", { href: "/search?" + new URLSearchParams({ q: answer.suggestion }), textContent: answer.suggestion }), "?");
  }
  list.replaceChildren(...(answer.results ?? []).map((hit) => {
    const link = element("a", { href: pagePath(hit), textContent: hit.title || hit.url, dir: "auto" });
    link.dataset.row = "";
    const item = element("li", {}, link, element("p", { className: "muted" }, element("span", { className: "url", textContent: hit.url }), " ", element("time", { textContent: hit.modified.slice(0, 10) })));
    if (hit.headings.length > 0) item.append(element("p", { className: "path", dir: "auto", textContent: hit.headings.join(" > ") }));
    if (hit.snippet.length > 0) item.append(element("p", { dir: "auto" }, ...hit.snippet.map((part) => (part.match ? element("mark", { textContent: part.text }) : part.text))));
    return item;
  }));
};

const searchForm = document.querySelector("#search");
if (searchForm) {
  const list = document.querySelector("#results");
  const count = document.querySelector("#count");
  let asked = 0;
  let waiting;
  const ask = async () => {
    const values = new URLSearchParams(new FormData(searchForm));
    for (const [name, value] of Array.from(values)) if (!value) values.delete(name);
    const mine = ++asked;
    history.replaceState(null, "", "/search?" + values);
    document.querySelector("#more")?.remove();
    if (!values.get("q")) return showResults(list, count, { results: [], error: "" });
    try {
      const response = await fetch("/search.json?" + values, { headers: { Accept: "application/json" } });
      const answer = await response.json();
      if (mine === asked) showResults(list, count, answer);
    } catch {
      if (mine === asked) count.textContent = "The server does not answer.";
    }
  };
  searchForm.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 120);
  });
}

// The live feed of changes, newest on top, bounded.
const live = document.querySelector("#live");
if (live && "EventSource" in window) {
  const feed = document.querySelector("#feed");
  const mostShown = 500;
  const source = new EventSource("/changes/stream?since=" + live.dataset.since);
  source.addEventListener("open", () => { live.textContent = "Live."; });
  source.addEventListener("error", () => { live.textContent = "Connecting again..."; });
  source.addEventListener("gap", () => { live.textContent = "Some changes are not shown; load the page again."; });
  source.addEventListener("change", (event) => {
    const change = JSON.parse(event.data);
    const kind = { new: "good", changed: "plain", removed: "bad" }[change.kind];
    let what = element("span", { textContent: change.url });
    if (change.kind !== "removed") {
      what = element("a", { href: pagePath(change), textContent: change.url });
      what.dataset.row = "";
    }
    feed.prepend(element("li", { className: "fresh" }, element("span", { className: "muted", textContent: "#" + change.sequence }), " ", element("span", { className: "badge " + kind, textContent: change.kind }), " ", what, " ", element("span", { className: "muted", textContent: change.section })));
    while (feed.childElementCount > mostShown) feed.lastElementChild.remove();
  });
  addEventListener("pagehide", () => source.close());
}

// Dropping a file onto the inspector sends it as the form would.
const drop = document.querySelector("#drop");
if (drop) {
  const input = drop.querySelector("input[type=file]");
  for (const name of ["dragover", "dragenter"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length === 0) return;
    input.files = event.dataTransfer.files;
    drop.requestSubmit();
  });
  input.addEventListener("change", () => { if (input.files.length > 0) drop.requestSubmit(); });
}
