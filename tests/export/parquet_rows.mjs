// Reads Parquet files with a reader that is not ours and prints each row in a fixed form, sorted, a line each.
//   node parquet_rows.mjs duckdb|hyparquet|wasm FOLDER-OF-NODE-MODULES FILE...
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [, , reader, modules, ...files] = process.argv
const require = createRequire(modules + '/')
const load = name => import(pathToFileURL(require.resolve(name)).href)

const long = 200
const brief = text => {
  if (text === null || text === undefined) return null
  return text.length <= long ? text : 'sha256:' + createHash('sha256').update(text, 'utf8').digest('hex')
}
const number = value => (value === null || value === undefined ? null : String(value))

function line(row) {
  const blocks = row.blocks === null || row.blocks === undefined
    ? null
    : Array.from(row.blocks, b => [b.type, brief(b.text), number(b.level), b.url ?? null, b.language ?? null])
  const fields = [row.url, row.site, row.section, brief(row.title), brief(row.description), brief(row.author),
    row.published, row.modified, row.language ?? null, brief(row.text), blocks, number(row.word_count), row.source ?? null]
  if ('json' in row) fields.push(brief(typeof row.json === 'object' && row.json !== null ? JSON.stringify(row.json) : row.json))
  if ('op' in row) fields.push(row.op)
  return JSON.stringify(fields)
}

async function duckdb() {
  const { DuckDBInstance } = await load('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const list = files.map(f => `'${f.replaceAll("'", "''")}'`).join(', ')
  const result = await connection.runAndReadAll(
    `SELECT * REPLACE (epoch_us(published)::VARCHAR AS published, epoch_us(modified)::VARCHAR AS modified,
                       to_json(blocks)::VARCHAR AS blocks) FROM read_parquet([${list}])`)
  return result.getRowObjects().map(row => ({ ...row, blocks: row.blocks === null ? null : JSON.parse(row.blocks) }))
}

const micros = milliseconds => (milliseconds === null || milliseconds === undefined ? null : String(Math.round(milliseconds * 1000)))

async function hyparquet() {
  const { asyncBufferFromFile, parquetReadObjects } = await load('hyparquet')
  const { compressors } = await load('hyparquet-compressors')
  const rows = []
  for (const file of files)
    for (const row of await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors, utf8: true }))
      rows.push({ ...row, published: micros(row.published?.getTime()), modified: micros(row.modified?.getTime()) })
  return rows
}

async function wasm() {
  const { readParquet } = require('parquet-wasm/node')
  const { tableFromIPC } = await load('apache-arrow')
  const rows = []
  for (const file of files) {
    const table = tableFromIPC(readParquet(new Uint8Array(readFileSync(file))).intoIPCStream())
    for (const arrow of table) {
      const row = arrow.toJSON()
      rows.push({ ...row, published: micros(row.published), modified: micros(row.modified) })
    }
  }
  return rows
}

const rows = await { duckdb, hyparquet, wasm }[reader]()
process.stdout.write(rows.map(line).sort().map(text => text + '\n').join(''))
