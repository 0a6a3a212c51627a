// The other side of Web Bot Auth, by npm's web-bot-auth.
//   node web_bot_auth.mjs sign URL AGENT JWK       prints the header fields of a signed request as JSON
//   node web_bot_auth.mjs verify                   reads {"url", "headers", "jwk"} lines, prints "verified" or why not
//   node web_bot_auth.mjs thumbprint JWK           prints the id of a key
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import readline from 'node:readline';

const folder = process.env.WEB_BOT_AUTH;
const require = createRequire(path.join(folder, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const auth = await load('web-bot-auth');
const crypto = await load('web-bot-auth/crypto');
const [action, ...rest] = process.argv.slice(2);

if (action === 'sign') {
  const [url, agent, jwk] = rest;
  const signer = await crypto.signerFromJWK(JSON.parse(jwk));
  const headers = { 'Signature-Agent': `"${agent}"` };
  const created = new Date();
  const fields = await auth.signatureHeaders(new Request(url, { headers }), signer,
    { created, expires: new Date(created.getTime() + 60000) });
  console.log(JSON.stringify({ ...headers, Signature: fields['Signature'], 'Signature-Input': fields['Signature-Input'] }));
} else if (action === 'thumbprint') {
  console.log(await auth.jwkToKeyID(JSON.parse(rest[0]), auth.helpers.WEBCRYPTO_SHA256, auth.helpers.BASE64URL_DECODE));
} else {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { url, headers, jwk } = JSON.parse(line);
    try {
      await auth.verify(new Request(url, { headers }), await crypto.verifierFromJWK(jwk));
      console.log('verified');
    } catch (error) {
      console.log(`not verified: ${error.message}`);
    }
  }
}
