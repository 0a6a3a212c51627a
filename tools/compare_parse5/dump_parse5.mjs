// Parses pages with parse5 and answers with their trees in the html5lib form. Requests and answers as html_dump --serve
// has them: a line "SIZE SCRIPTING CONTEXT" and the page, a line "SIZE" and the tree. Run by compare.py, which sets
// PARSE5 to the folder of the package.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const { parse, parseFragment } = await import(pathToFileURL(join(process.env.PARSE5, 'dist/index.js')));

const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const HTML = 'http://www.w3.org/1999/xhtml';

function compare(a, b) {
  // By bytes, as our dump sorts; JavaScript compares UTF-16 units.
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function element(node, indent, out) {
  const prefix = node.namespaceURI === SVG ? 'svg ' : node.namespaceURI === MATHML ? 'math ' : '';
  out.push(`${indent}<${prefix}${node.tagName}>`);
  const attributes = node.attrs.map((a) => {
    if (a.prefix) return [`${a.prefix} ${a.name}`, a.value];
    return [a.namespace ? `xmlns ${a.name}` : a.name, a.value];
  });
  attributes.sort((a, b) => compare(a[0], b[0]));
  for (const [name, value] of attributes) out.push(`${indent}  ${name}="${value}"`);
}

function doctype(node) {
  const ids = node.publicId || node.systemId ? ` "${node.publicId}" "${node.systemId}"` : '';
  return `<!DOCTYPE ${node.name}${ids}>`;
}

// With a stack of its own: pages may be deeper than JavaScript's.
function dump(root) {
  const out = [];
  const todo = root.childNodes.map((node) => [node, 0]).reverse();
  while (todo.length > 0) {
    const [node, depth] = todo.pop();
    const indent = '| ' + '  '.repeat(depth);
    let children = node.childNodes ?? [];
    let below = depth + 1;
    if (node.nodeName === '#text') out.push(`${indent}"${node.value}"`);
    else if (node.nodeName === '#comment') out.push(`${indent}<!-- ${node.data} -->`);
    else if (node.nodeName === '#documentType') out.push(indent + doctype(node));
    else {
      element(node, indent, out);
      if (node.content) {
        out.push(`${indent}  content`);
        children = node.content.childNodes;
        below = depth + 2;
      }
    }
    for (let i = children.length - 1; i >= 0; --i) todo.push([children[i], below]);
  }
  return out.length === 0 ? '' : out.join('\n') + '\n';
}

function context(text) {
  const [first, second] = text.split(' ');
  const namespaceURI = second === undefined ? HTML : first === 'svg' ? SVG : MATHML;
  const tagName = second ?? first;
  return { nodeName: tagName, tagName, namespaceURI, attrs: [], childNodes: [], parentNode: null };
}

function answer(page, scriptingEnabled, where) {
  const options = { scriptingEnabled };
  const tree = where === '-' ? parse(page, options) : parseFragment(context(where), page, options);
  const bytes = Buffer.from(dump(tree));
  process.stdout.write(`${bytes.length}\n`);
  process.stdout.write(bytes);
}

let buffer = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf(10);
    if (end < 0) break;
    const [size, scripting, ...where] = buffer.subarray(0, end).toString().split(' ');
    const needed = end + 1 + Number(size);
    if (buffer.length < needed) break;
    answer(buffer.subarray(end + 1, needed).toString(), scripting === '1', where.join(' '));
    buffer = buffer.subarray(needed);
  }
}
