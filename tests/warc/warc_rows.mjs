// The records of a WARC file as warcio reads them, one JSON object per line: node warc_rows.mjs TOOLS FILE
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [tools, file] = process.argv.slice(2);
const require = createRequire(`${tools}/`);
const { WARCParser } = await import(pathToFileURL(require.resolve("warcio")).href);

for await (const record of new WARCParser(createReadStream(file))) {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of record) {
    hash.update(piece);
    size += piece.length;
  }
  console.log(JSON.stringify({
    type: record.warcType, url: record.warcTargetURI, date: record.warcDate, status: record.httpHeaders ? record.httpHeaders.statusCode : null,
    contentType: record.warcContentType, size, sha256: hash.digest("hex"),
  }));
}
