// The places of a page that differ from answer to answer.
import { expect, test } from "vitest";
import { instant } from "~/domain/time";
import { fillCopy, placesIn } from "./edge-places";

const NONCE = "abcdefghijklmnopqrstuv";
const at = (now: number, html: string) =>
  fillCopy({ html, places: placesIn(html, NONCE) }, { nonce: "next", now: instant(now) });

test("E1 only the text of a countdown changes, and it ends at zero", () => {
  const html = `<p title="data-until=&quot;5000&quot;">1</p><b data-until="5000" class="x">00:05</b><i>00:05</i>`;
  expect(at(2000, html)).toBe(html.replace(">00:05</b>", ">00:03</b>"));
  expect(at(9000, html)).toBe(html.replace(">00:05</b>", ">00:00</b>"));
});

test("E1 L-10 the time of a card changes, and its countdown with it", () => {
  const html = `<p>data-now="1000"</p><b data-until="5000" data-now="1000">00:04</b><i data-until="5000">00:05</i>`;
  expect(at(2000, html)).toBe(
    `<p>data-now="1000"</p><b data-until="5000" data-now="2000">00:03</b><i data-until="5000">00:03</i>`,
  );
});

test("E1 a nonce changes in each tag", () => {
  expect(
    at(0, `<script nonce="${NONCE}">a("<b data-until=1")</script><style nonce="${NONCE}"></style>`),
  ).toBe('<script nonce="next">a("<b data-until=1")</script><style nonce="next"></style>');
});

test.each([
  '<p>Write data-until="5000">1, and "x > 1" too</p>',
  `<p>a nonce="${NONCE}" b</p>`,
  '<img alt="<b data-until=1>5" title=" data-until=5">1',
  `<script>"<b data-until=\\"1\\">2<b nonce='${NONCE}'"; x = '<b data-until="1">5</b>'</script>`,
  '<!-- <b data-until="1">5</b> -->',
  '<p>< b data-until="1">5</p>',
  '<b data-until="soon">5</b>',
  '<b data-now="soon">5</b>',
  "<p",
  '<p title="',
])("E1 a text that imitates a place stays as it is: %s", (html) => {
  expect(at(2000, html)).toBe(html);
});
