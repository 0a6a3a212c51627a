// Writes pages (JSON Lines) as Parquet with DuckDB: node duckdb_copy.mjs TOOLS PAGES OUT THREADS. Prints the seconds of the COPY.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [tools, pages, out, threads] = process.argv.slice(2);
const { DuckDBInstance } = await import(pathToFileURL(createRequire(`${tools}/`).resolve("@duckdb/node-api")).href);
const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
await connection.run(`SET threads = ${Number(threads)}`);
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
const start = performance.now();
await connection.run(`COPY (
  SELECT url, title, description, author, published, CAST(modified AS TIMESTAMP) AS modified, language,
         array_to_string(list_transform(content, b -> coalesce(b.text, b.code, b.alt, array_to_string(b.items, chr(10)))), chr(10) || chr(10)) AS text,
         content AS blocks
  FROM read_json(${quoted(pages)}, format = 'newline_delimited', maximum_object_size = 134217728, columns = {
    url: 'VARCHAR', title: 'VARCHAR', description: 'VARCHAR', author: 'VARCHAR', published: 'VARCHAR', modified: 'VARCHAR', language: 'VARCHAR',
    content: 'STRUCT("type" VARCHAR, "text" VARCHAR, "level" INTEGER, url VARCHAR, "language" VARCHAR, code VARCHAR, alt VARCHAR, items VARCHAR[], "rows" VARCHAR[][])[]'})
  ORDER BY url
) TO ${quoted(out)} (FORMAT parquet, COMPRESSION zstd)`);
console.log(JSON.stringify({ seconds: (performance.now() - start) / 1000 }));
