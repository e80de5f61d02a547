// Refuses journeys that read a page once while it may still settle, or that wait for a time. They wait for what the page
// shows.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "journeys");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

const READS =
  "boundingBox|count|isVisible|isHidden|isChecked|isEnabled|isDisabled|isEditable|textContent|innerText|inputValue|getAttribute|allTextContents|allInnerTexts";
/** `expect(await list.count())`, where `expect(list).toHaveCount` or `expect.poll` would wait. */
const ONE_SHOT = new RegExp(`\\bexpect\\(\\s*\\(*await (?:(?!\\bexpect\\b|;)[^])*?\\.(?:${READS})\\(`);
const SLEEP = /\bwaitForTimeout\(|\bsetTimeout\((?:resolve|done), [1-9]/;

/** These read once on purpose. Each read follows a wait for the state that it reads. */
const READ_ONCE: Record<string, string> = {
  "editor-images.spec.ts": "An earlier toast may end meanwhile.",
  "evening.spec.ts": "At no moment has a page an unwritten word.",
  "toasts.spec.ts": "A toast keeps its height.",
};

test("no assertion of a journey reads a page once where it could wait", () => {
  const wrong = files.filter(({ text }) => ONE_SHOT.test(text)).map(({ name }) => name);
  expect(wrong.sort()).toEqual(Object.keys(READ_ONCE).sort());
});

test("no journey sleeps", () => {
  expect(files.filter(({ text }) => SLEEP.test(text)).map(({ name }) => name)).toEqual([]);
});
