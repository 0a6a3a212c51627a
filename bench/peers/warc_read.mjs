// Reads every record of a WARC file with warcio: node warc_read.mjs TOOLS FILE. Prints seconds, records and bytes of blocks.
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [tools, file] = process.argv.slice(2);
const { WARCParser } = await import(pathToFileURL(createRequire(`${tools}/`).resolve("warcio")).href);
let best = Infinity, records = 0, bytes = 0;
for (let round = 0; round < 2; ++round) {
  const start = performance.now();
  records = bytes = 0;
  for await (const record of new WARCParser(createReadStream(file), { parseHttp: false })) {
    ++records;
    for await (const piece of record) bytes += piece.length;
  }
  best = Math.min(best, (performance.now() - start) / 1000);
}
console.log(JSON.stringify({ seconds: best, records, bytes }));
