// The official client of the Model Context Protocol against `sheaf mcp`, on one transport.
//
//   node sdk_client.mjs SDK_FOLDER stdio SHEAF STORE [OPTION...]
//   node sdk_client.mjs SDK_FOLDER http URL [TOKEN]
//
// Ends with status 0 when everything is as it should be, else says what is not.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const [folder, kind, ...rest] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${folder}/node_modules/@modelcontextprotocol/sdk/dist/esm/${name}`));
const { Client } = await load("client/index.js");

async function transport() {
  if (kind === "stdio") {
    const { StdioClientTransport } = await load("client/stdio.js");
    const [command, store, ...options] = rest;
    return new StdioClientTransport({ command, args: ["mcp", "--store", store, ...options] });
  }
  const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
  const headers = rest[1] ? { Authorization: `Bearer ${rest[1]}` } : {};
  return new StreamableHTTPClientTransport(new URL(rest[0]), { requestInit: { headers } });
}

const client = new Client({ name: "sheaf-test", version: "1.0.0" });
await client.connect(await transport());

const text = (result) => result.content.map((part) => part.text).join("");
const call = (name, args) => client.callTool({ name, arguments: args });
const code = async (promise) => promise.then(() => assert.fail("no error came"), (error) => error.code);

assert.equal(client.getServerVersion().name, "sheaf");
assert.ok(client.getServerCapabilities().tools && client.getServerCapabilities().resources);
assert.match(client.getInstructions(), /search/);
await client.ping();

const { tools } = await client.listTools();
const names = tools.map((tool) => tool.name);
assert.deepEqual(names.filter((name) => name !== "pull_site"), ["search", "get_page", "list_sites", "changes_since"]);
for (const tool of tools) assert.equal(tool.inputSchema.type, "object");

let answer = await call("search", { query: "words", limit: 2 });
assert.equal(answer.structuredContent.results.length, 2);
assert.match(text(answer), /https:\/\/test\.example\//);
const next = await call("search", { query: "words", limit: 2, cursor: answer.structuredContent.next });
assert.notEqual(next.structuredContent.results[0].url, answer.structuredContent.results[0].url);
answer = await call("search", { query: "wrods" });
assert.equal(answer.structuredContent.suggestion, "words");
answer = await call("search", { query: '"not closed' });
assert.equal(answer.isError, true);
assert.match(text(answer), /this quote is not closed/);
answer = await call("search", { limit: 5 });
assert.equal(answer.isError, true);
answer = await call("search", { query: "words", colour: "red" });
assert.equal(answer.isError, true);

answer = await call("get_page", { url: "https://test.example/guide" });
assert.match(text(answer), /Words\./);
assert.equal(answer.structuredContent.language, "de-AT");
answer = await call("get_page", { url: "https://test.example/nowhere" });
assert.equal(answer.isError, true);
answer = await call("get_page", { url: "https://test.example/guide", heading: "No such" });
assert.equal(answer.isError, true);

answer = await call("list_sites", {});
assert.deepEqual(answer.structuredContent.sections.map((section) => section.section).sort(), ["all", "blog", "docs"]);

answer = await call("changes_since", { sequence: 3, limit: 2 });
assert.deepEqual(answer.structuredContent.changes.map((change) => change.sequence), [4, 5]);
answer = await call("changes_since", { sequence: 100000 });
assert.equal(answer.isError, true);

const { resources } = await client.listResources();
assert.ok(resources.length > 3);
const guide = resources.find((resource) => resource.description === "https://test.example/guide");
const read = await client.readResource({ uri: guide.uri });
assert.match(read.contents[0].text, /Words\./);
assert.equal(read.contents[0].mimeType, "text/markdown");
const { resourceTemplates } = await client.listResourceTemplates();
assert.equal(resourceTemplates[0].uriTemplate, "sheaf://page{?url}");
assert.equal(await code(client.readResource({ uri: "sheaf://page?url=https%3A%2F%2Ftest.example%2Fnowhere" })), -32002);
assert.equal(await code(client.readResource({ uri: "file:///etc/passwd" })), -32002);
assert.equal(await code(client.callTool({ name: "no_such_tool", arguments: {} })), -32602);
assert.equal(await code(client.getPrompt({ name: "x" })), -32601);

// Many at once.
const many = await Promise.all([...Array(40).keys()].map((number) => call("search", { query: `words OR n${number}` })));
assert.ok(many.every((each) => each.structuredContent.results.length > 0));

await client.close();
console.log(`${kind}: the official client is content`);
