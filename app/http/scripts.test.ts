// The scripts of a page start when its HTML says so.
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withStart } from "./scripts.server";

const LINK = '<link rel="modulepreload" href="/base.js"/>';
const page = (text: string) =>
  `<body>${text}${LINK}<script nonce="n1">context</script><script nonce="n1" type="module" async="">start</script>` +
  `</body><script nonce="n1">data</script>`;

test("P2 the scripts of a visitor's page are set aside, and a script after them starts them", () => {
  const html = withStart(page(""), "idle", "n1");
  expect(html).toContain('<body><link itemprop="later" href="/base.js"/>');
  expect(html).toMatch(
    /<script nonce="n1" type="text\/later" async="">start<\/script><script nonce="n1">\(\(\) => \{.*\}\)\(\);<\/script><\/body><script nonce="n1">data<\/script>$/s,
  );
});

test("P2 the scripts of a signed-in user's page start after the first paint, and in a hidden page at once", () => {
  const html = withStart(page(""), "painted", "n1");
  expect(html).toContain('<body><link itemprop="later" href="/base.js"/>');
  const [, script = ""] = /<script nonce="n1">(\(\(\) => \{.*\}\)\(\);)<\/script><\/body>/s.exec(html) ?? [];
  expect(startsOf(script, { hidden: true })).toEqual({ before: 1, after: 1 });
  expect(startsOf(script, { hidden: false })).toEqual({ before: 0, after: 1 });
});

/** How often the script has started those of the page, before and after the first paint. */
function startsOf(script: string, { hidden }: { hidden: boolean }) {
  let starts = 0;
  let paint = () => {};
  const document = {
    hidden,
    readyState: "loading",
    querySelector: () => ({ nonce: "n1", text: "start" }),
    querySelectorAll: () => [],
    createElement: () => ({}),
    body: { append: () => starts++ },
  };
  class PerformanceObserver {
    constructor(told: (list: null, observer: { disconnect(): void }) => void) {
      paint = () => told(null, { disconnect() {} });
    }
    observe() {}
  }
  const ignore = () => {};
  const listeners = { addEventListener: ignore, removeEventListener: ignore };
  runInNewContext(script, {
    document,
    window: {},
    PerformanceObserver,
    requestAnimationFrame: ignore,
    ...listeners,
  });
  const before = starts;
  paint();
  return { before, after: starts };
}

test("P2 the scripts of a page with an open dialog load at once, after its styles", () => {
  const html = withStart(page(""), "now", "n1");
  expect(html).toContain('<link rel="modulepreload" fetchpriority="low" href="/base.js"/>');
  expect(html).toMatch(/type="module" async="">start<\/script><script nonce="n1">[^<]*<\/script><\/body>/);
});

test("P2 a text that quotes the scripts of a page stays as it is", () => {
  const text = 'link rel="modulepreload", script nonce="n1" type="module" async=""';
  expect(withStart(page(text), "idle", "n1")).toContain(`<body>${text}<link itemprop`);
  expect(withStart(page(text), "never", "n1")).toBe(page(text));
});
