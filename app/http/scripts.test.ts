// The scripts of a page start when its HTML says so.
import { expect, test } from "vitest";
import { withStart } from "./scripts.server";

const LINK = '<link rel="modulepreload" href="/base.js"/>';
const page = (text: string) =>
  `<body>${text}${LINK}<script nonce="n1">context</script><script nonce="n1" type="module" async="">start</script>` +
  `</body><script nonce="n1">data</script>`;

test("P2 the scripts of a visitor's page are set aside, and a script after them starts them", () => {
  const html = withStart(page(""), "later", "n1");
  expect(html).toContain('<body><link itemprop="later" href="/base.js"/>');
  expect(html).toMatch(
    /<script nonce="n1" type="text\/later" async="">start<\/script><script nonce="n1">\(\(\) => \{.*\}\)\(\);<\/script><\/body><script nonce="n1">data<\/script>$/s,
  );
});

test("P2 the scripts of a signed-in user's page load at once, after its styles", () => {
  const html = withStart(page(""), "now", "n1");
  expect(html).toContain('<link rel="modulepreload" fetchpriority="low" href="/base.js"/>');
  expect(html).toMatch(/type="module" async="">start<\/script><script nonce="n1">[^<]*<\/script><\/body>/);
});

test("P2 a text that quotes the scripts of a page stays as it is", () => {
  const text = 'link rel="modulepreload", script nonce="n1" type="module" async=""';
  expect(withStart(page(text), "later", "n1")).toContain(`<body>${text}<link itemprop`);
  expect(withStart(page(text), "never", "n1")).toBe(page(text));
});
