// Drives Chromium through the web app; browser.py starts it with the facts of the run.
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const facts = JSON.parse(process.argv[2]);
const axeSource = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const at = (view, parameters = {}) => facts.app + view + (Object.keys(parameters).length ? "?" + new URLSearchParams(parameters) : "");
const pageOf = (site, name, more = {}) => at("/page", { url: `${site}/${name}`, ...more });

let browser;
const foreign = []; // requests to anything but our servers
const spoken = []; // dialogs, console errors, exceptions

const newPage = async (width = 1280, height = 900) => {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  page.on("request", (request) => { if (!/^(http:\/\/127\.0\.0\.1:|about:)/.test(request.url())) foreign.push(request.url()); });
  page.on("dialog", async (dialog) => { spoken.push("dialog " + dialog.message()); await dialog.dismiss(); });
  page.on("pageerror", (error) => spoken.push("error " + error.message));
  // A status that a test asked for, and what the policy of a publisher's original keeps from loading.
  const expected = /status of 4\d\d|directive: "(style-src 'unsafe-inline'|img-src data:)"/;
  page.on("console", (message) => { if (message.type() === "error" && !expected.test(message.text())) spoken.push("console " + message.text()); });
  return page;
};

// No part of a page may be wider than the window: on a phone one would have to scroll sideways.
const checkWidth = async (page, name) => {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `${name} is ${content} wide in a window of ${window}`);
};

const checkAxe = async (page, name) => {
  // Through the debugger, which no policy of the page concerns.
  const session = await page.createCDPSession();
  await session.send("Runtime.evaluate", { expression: axeSource });
  const { result } = await session.send("Runtime.evaluate", { expression: "axe.run(document, { iframes: false }).then((found) => JSON.stringify(found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary).join(' | '))))", awaitPromise: true, returnByValue: true });
  assert.deepEqual(JSON.parse(result.value), [], `axe-core on ${name}`);
  await session.detach();
};

const shot = async (page, name, options = {}) => {
  if (!facts.screenshots) return;
  fs.mkdirSync(facts.screenshots, { recursive: true });
  await page.setViewport({ width: options.width ?? 1000, height: options.height ?? 680 });
  await page.screenshot({ path: path.join(facts.screenshots, name + ".png") });
};

const views = () => ({
  overview: at("/"), sites: at("/sites"), failing: at("/sites", { state: "failing" }), site: at("/site", { site: facts.site }), pages: at("/pages"),
  "pages-of-site": at("/pages", { site: facts.site, section: "all", url: "docs" }), "no-pages": at("/pages", { url: "no-such-page" }),
  page: pageOf(facts.site, "docs/calibrate-rain-gauge.html"), markdown: pageOf(facts.site, "docs/calibrate-rain-gauge.html", { tab: "markdown" }),
  json: pageOf(facts.site, "docs/calibrate-rain-gauge.html", { tab: "json" }), provenance: pageOf(facts.site, "docs/calibrate-rain-gauge.html", { tab: "source" }),
  history: pageOf(facts.site, "docs/calibrate-rain-gauge.html", { tab: "history" }), search: at("/search"), "search-results": at("/search", { q: "rain gauge" }),
  "search-nothing": at("/search", { q: "gaugee" }), changes: at("/changes"), inspect: at("/inspect"), missing: at("/nothing"),
  published: facts.publisher + "/publish", skipped: facts.publisher + "/publish?state=skipped", "published-page": facts.publisher + "/publish/page?n=0",
  "published-markdown": facts.publisher + "/publish/page?n=0&tab=markdown",
});

const tests = {
  async everyView() {
    const page = await newPage();
    for (const [name, url] of Object.entries(views())) {
      const response = await page.goto(url, { waitUntil: "load" });
      assert.equal(response.status(), name === "missing" ? 404 : 200, name);
      assert.equal(await page.$$eval("h1", (found) => found.length), 1, `${name} has one h1`);
      for (const [width, dark] of [[1280, false], [320, false], [1600, true]]) {
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
        await checkWidth(page, `${name} at ${width}`);
        if (width !== 320) await checkAxe(page, `${name} at ${width}${dark ? ", dark" : ""}`);
      }
      const [paper, ink] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color].map((colour) => colour.match(/\d+/g).map(Number).reduce((a, b) => a + b)));
      assert.ok(paper < 200 && ink > 500, `${name} is dark: ${paper} ${ink}`);
    }
    await page.close();
  },

  async overview() {
    const page = await newPage();
    await page.goto(at("/"));
    const text = await page.$eval("main", (main) => main.innerText);
    for (const part of ["Sites", "Pages", "Failing sites", "http://127.0.0.1:1", "Changes per day", "page by page (estimate)", "Store on disk", "Search index"]) assert.ok(text.includes(part), part);
    assert.ok(await page.$$eval(".chart rect", (bars) => bars.length) > 60, "bars in the charts");
    await shot(page, "overview", { height: 1000 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await shot(page, "phone-dark", { width: 360, height: 700 });
    await page.close();
  },

  async pageView() {
    const page = await newPage();
    await page.goto(views().page);
    assert.ok(await page.$$eval(".contents a", (links) => links.length) >= 2, "table of contents");
    const target = await page.$eval(".contents a", (link) => link.getAttribute("href"));
    assert.ok(await page.$(target), "the contents lead to a heading");
    await shot(page, "page", { width: 1100 });
    await page.emulateMediaType("print");
    assert.equal(await page.$eval(".bar", (bar) => getComputedStyle(bar).display), "none", "print without navigation");
    await page.close();
  },

  async searchAsYouType() {
    const page = await newPage();
    await page.goto(at("/"));
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "find", "/ goes to the search field");
    await page.goto(at("/search"));
    await page.keyboard.press("/");
    await page.keyboard.type("rain gaug");
    await page.keyboard.type("e");
    await page.waitForFunction(() => document.querySelectorAll("#results mark").length > 0);
    assert.match(await page.$eval("#count", (count) => count.textContent), /\d+ pages?/);
    assert.match(page.url(), /q=rain\+gauge/, "the URL can be shared");
    await shot(page, "search");
    // Keys only: leave the field, go down twice and up once, open.
    await page.keyboard.press("Escape");
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    const chosen = await page.evaluate(() => document.activeElement.textContent);
    assert.equal(chosen, await page.$eval("#results a", (link) => link.textContent), "j j k is the first result");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    assert.equal(await page.$eval("h1", (heading) => heading.textContent), chosen);
    await page.goto(at("/search"));
    await page.type("#f-q", "gaugee");
    await page.waitForFunction(() => document.querySelector("#count a"));
    await page.type("#f-q", ' "');
    await page.waitForFunction(() => document.querySelector("#count").textContent.length > 30);
    await page.close();
  },

  async liveFeed() {
    const page = await newPage();
    await page.goto(at("/changes"), { waitUntil: "domcontentloaded" });
    await page.waitForFunction(() => document.querySelector("#live").textContent === "Live.");
    const before = await page.$$eval("#feed li", (items) => items.length);
    execFileSync(facts.change[0], facts.change.slice(1));
    await page.waitForFunction((count) => document.querySelectorAll("#feed li.fresh").length === count, {}, 3);
    assert.equal(await page.$$eval("#feed li", (items) => items.length), before + 3);
    assert.match(await page.$eval("#feed li", (item) => item.textContent), /live\.example\/edited\/\d/);
    await page.close();
  },

  async inspector() {
    const page = await newPage();
    for (const [file, verdict] of [[facts.valid, "valid"], [facts.tampered, "invalid"]]) {
      await page.goto(at("/inspect"));
      const input = await page.$("#file");
      await Promise.all([page.waitForNavigation(), input.uploadFile(file)]);
      await page.waitForSelector(".verdict");
      assert.equal(await page.$eval(".verdict .badge", (badge) => badge.textContent), verdict, file);
      await checkAxe(page, "inspection of " + file);
      if (verdict === "invalid") {
        assert.match(await page.$eval("main", (main) => main.innerText), /checksum-mismatch/);
        await shot(page, "inspector");
      }
    }
    await page.goto(at("/inspect"));
    await page.type("#f-name", facts.valid);
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    await page.waitForSelector(".verdict");
    const link = await page.$("[data-row]");
    await Promise.all([page.waitForNavigation(), link.click()]);
    assert.ok(await page.$("article"), "a page of the collection");
    // As `sheaf inspect --web` opens it: only with its token.
    const plain = await page.goto(facts.inspector.replace(/\?.*/, ""));
    assert.equal(plain.status(), 401);
    await page.goto(facts.inspector);
    await page.waitForSelector(".verdict");
    assert.equal(await page.$eval(".verdict .badge", (badge) => badge.textContent), "valid");
    assert.ok(!page.url().includes("token"), "the token does not stay in the address");
    await page.close();
  },

  async publisher() {
    const page = await newPage();
    await page.goto(facts.publisher + "/");
    await page.waitForSelector(".pages li");
    assert.match(await page.$eval("main", (main) => main.innerText), /noindex/);
    await page.goto(facts.publisher + "/publish/page?n=1");
    await page.waitForSelector("iframe");
    const frame = await (await page.$("iframe")).contentFrame();
    assert.ok((await frame.evaluate(() => document.body.innerText)).length > 20, "the original is shown");
    assert.equal(await frame.evaluate(() => self.origin), "null", "as another origin");
    assert.ok(await page.$("article"), "beside what was extracted");
    await shot(page, "published", { width: 1100 });
    await page.close();
  },

  async hostilePages() {
    const page = await newPage();
    for (const name of ["fields", "links", "title", "word", "turned", "table", "blocks"]) {
      for (const tab of ["", "markdown", "json", "source", "history"]) {
        const response = await page.goto(pageOf(facts.hostile, name, tab ? { tab } : {}));
        assert.equal(response.status(), 200, `${name} ${tab}`);
        assert.equal(await page.evaluate(() => window.hacked), undefined, `${name} ${tab}`);
        const parts = await page.evaluate(() => ({
          scripts: Array.from(document.scripts, (script) => new URL(script.src).pathname),
          handlers: Array.from(document.querySelectorAll("*")).some((one) => one.getAttributeNames().some((attribute) => attribute.startsWith("on") || attribute === "style")),
          images: document.querySelectorAll("img, object, embed, base").length,
          links: Array.from(document.links, (link) => link.protocol).filter((protocol) => !/^https?:$/.test(protocol)),
        }));
        assert.deepEqual(parts, { scripts: ["/asset"], handlers: false, images: 0, links: [] }, `${name} ${tab}`);
        for (const width of [320, 1600]) {
          await page.setViewport({ width, height: 900 });
          await checkWidth(page, `${name} ${tab} at ${width}`);
        }
        if (tab === "") await checkAxe(page, "hostile " + name);
      }
    }
    assert.ok((await page.goto(pageOf(facts.hostile, "turned")) && await page.$eval("h1", (heading) => heading.textContent)).startsWith("\ufffdThis is turned"), "overrides are shown");
    for (const url of [at("/search", { q: "script" }), at("/pages", { site: facts.hostile }), at("/search", { q: '"><script>window.hacked=1</script>' })]) {
      await page.goto(url);
      assert.equal(await page.evaluate(() => window.hacked), undefined, url);
      await checkWidth(page, url);
    }
    await page.goto(at("/search"));
    await page.type("#f-q", "hacked");
    await page.waitForFunction(() => document.querySelectorAll("#results li").length > 0);
    assert.equal(await page.evaluate(() => window.hacked ?? document.querySelectorAll("#results img, #results script").length), 0, "search as you type");
    await page.close();
  },

  async withoutJavaScript() {
    const page = await newPage();
    await page.setJavaScriptEnabled(false);
    for (const [name, url] of Object.entries(views())) assert.ok((await page.goto(url)).status() < 405, name);
    await page.goto(at("/"));
    await page.type("#find", "rain gauge");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    assert.ok((await page.$$("#results li")).length > 0, "search by form");
    await page.goto(at("/inspect"));
    await (await page.$("#file")).uploadFile(facts.tampered);
    await Promise.all([page.waitForNavigation(), page.click("#drop button")]);
    await page.waitForSelector(".verdict", { timeout: 20_000 });
    await page.close();
  },

  async keyboardOnly() {
    const page = await newPage();
    await page.goto(at("/pages"));
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip", "the first stop skips the navigation");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => location.hash), "#main0");
    await page.keyboard.press("j");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, "solid", "the focus can be seen");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    assert.match(page.url(), /\/page\?/);
    // Every stop of the Tab key can be reached and seen.
    const stops = new Set();
    for (let i = 0; i < 15; ++i) {
      await page.keyboard.press("Tab");
      stops.add(await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80)));
    }
    assert.ok(stops.size >= 12, "Tab goes on");
    await page.close();
  },

  async hardToReach() {
    const page = await newPage();
    // A page of another origin, on the same machine: neither its scripts nor its forms nor its frames reach us.
    await page.setBypassCSP(true);
    await page.goto(facts.publisher + "/inspect");
    // The browser may tell of a response after the script that made the request has ended.
    const statusOf = (path) => page.waitForResponse((response) => new URL(response.url()).pathname === path).then((response) => response.status());
    const statuses = [statusOf("/search.json"), statusOf("/inspect/open")];
    await page.evaluate(async (base) => {
      await fetch(base + "/search.json?q=rain", { mode: "no-cors" }).catch(() => {});
      await fetch(base + "/inspect/open", { method: "POST", mode: "no-cors", body: new URLSearchParams({ name: "/etc/passwd" }) }).catch(() => {});
    }, facts.app);
    assert.deepEqual(await Promise.all(statuses), [403, 403]);
    const framed = page.waitForResponse((response) => new URL(response.url()).pathname === "/changes");
    await page.evaluate((base) => { document.body.append(Object.assign(document.createElement("iframe"), { src: base + "/changes", id: "stolen" })); }, facts.app);
    assert.equal((await framed).status(), 403, "no frames");
    spoken.length = 0;
    await page.close();
  },
};

(async () => {
  browser = await puppeteer.launch({ executablePath: facts.chromium, userDataDir: facts.profile, headless: true, acceptInsecureCerts: false,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en"] });
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    try {
      await test();
      assert.deepEqual(spoken, [], "what the pages said");
      assert.deepEqual(foreign, [], "requests to others");
      console.log("passed " + name);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name}: ${error.stack}`);
    }
    spoken.length = 0;
    foreign.length = 0;
  }
  await browser.close();
  process.exit(failed === 0 ? 0 : 1);
})();
