// Reads every record of a WARC file with warcio: node warc_read.mjs TOOLS FILE. Prints seconds (of the processor, and
// of the clock), records and bytes of blocks.
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [tools, file] = process.argv.slice(2);
const { WARCParser } = await import(pathToFileURL(createRequire(`${tools}/`).resolve("warcio")).href);
let best = Infinity, clock = Infinity, records = 0, bytes = 0;
for (let round = 0; round < 3; ++round) {
  const start = process.cpuUsage(), begun = performance.now();
  records = bytes = 0;
  for await (const record of new WARCParser(createReadStream(file), { parseHttp: false })) {
    ++records;
    for await (const piece of record) bytes += piece.length;
  }
  const used = process.cpuUsage(start);
  best = Math.min(best, (used.user + used.system) / 1e6);
  clock = Math.min(clock, (performance.now() - begun) / 1e3);
}
console.log(JSON.stringify({ seconds: best, clock, records, bytes }));
