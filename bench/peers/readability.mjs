// Mozilla's Readability over HTML files, on the DOM named first: the pages it managed and the seconds of processor time
// it took, without reading the files, as one line of JSON.
//
//   node readability.mjs linkedom|jsdom LIST       LIST: a file with one path per line
import { readFileSync } from "node:fs";
import { Readability } from "@mozilla/readability";

const [dom, list] = process.argv.slice(2);
const pages = readFileSync(list, "utf8").split("\n").filter(Boolean).map((file) => readFileSync(file, "utf8"));

let document_of;
if (dom === "linkedom") {
  const { parseHTML } = await import("linkedom");
  document_of = (html) => parseHTML(html).document;
} else {
  const { JSDOM, VirtualConsole } = await import("jsdom");
  document_of = (html) => new JSDOM(html, { url: "https://example.com/docs/page.html", virtualConsole: new VirtualConsole() }).window.document;
}

let done = 0;
const start = process.cpuUsage();
for (const html of pages) {
  try {
    if (new Readability(document_of(html)).parse()) ++done;
  } catch {
    // A page it cannot do still cost its time.
  }
}
const used = process.cpuUsage(start);
console.log(JSON.stringify({ pages: pages.length, done, seconds: (used.user + used.system) / 1e6 }));
