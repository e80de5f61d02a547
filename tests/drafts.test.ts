// Forms with a field for a longer text keep a draft, read from the sources of components and routes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const APP = join(import.meta.dirname, "../app");
const sources = ["components", "routes"]
  .flatMap((folder) =>
    readdirSync(join(APP, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => ({ name, text: readFileSync(join(APP, name), "utf8") }));

const LONG_FIELD = /<(TextAreaRow|TextArea|RichTextField|textarea)\b/;
const DRAFT = /\bdraft:|\bdraftKey=|\buseDraft\b/;

/** Long fields outside forms, of forms that another file begins, and of people who decide. */
const WITHOUT: Record<string, string> = {
  "components/editor/formatting-end.tsx": "the source of the field that holds it",
  "components/form/rows.tsx": "the row itself",
  "components/goals/folds.tsx": "components/goals/form.tsx keeps it",
  "components/room/line-dialog.tsx": "an edit of a sent line, for five minutes",
  "components/room/plain-line-tools.tsx": "an edit of a sent line, without JavaScript",
  "components/safety/report-card.tsx": "the reason of a super admin",
  "components/safety/suspend-form.tsx": "the reason of a super admin",
  "components/sessions/more-fields.tsx": "components/sessions/form.tsx keeps it",
  "components/styleguide/controls.tsx": "an example",
  "components/ui/inputs.tsx": "the field itself",
};

test("R-58 every form with a long text keeps a draft, or says why not", () => {
  const long = sources.filter(({ text }) => LONG_FIELD.test(text));
  expect(long.length).toBeGreaterThan(15);
  const without = long.filter(({ text }) => !DRAFT.test(text)).map(({ name }) => name);
  expect(without.sort()).toEqual(Object.keys(WITHOUT).sort());
});

/** The lines that name a draft's key, each with the values that its form sends about a thing. */
const keys = sources.flatMap(({ name, text }) => {
  // A long conditional is one line.
  const lines = text.replace(/\n\s+(?=[?:] )/g, " ").split("\n");
  const abouts = lines.flatMap((line, at) => (/\b(?:about|hiddenFields): [^`]*$/.test(line) ? at : []));
  return lines.flatMap((line, at) => {
    if (!/^\s+(draft|about|hiddenFields|name): .*`|\bdraft(: "|: `|Key=)/.test(line)) return [];
    const about = abouts.filter((one) => one < at && at - one < 6).at(-1);
    return [{ name, key: line.trim(), about: valuesIn(about === undefined ? "" : (lines[about] ?? "")) }];
  });
});
/** The names in `hiddenFields: note ? { note: note.id } : { goal: goalId }`: of a property its value. */
function valuesIn(line: string): string[] {
  return [...line.matchAll(/\{([^{}]+)\}/g)].flatMap(([, fields = ""]) =>
    fields
      .split(",")
      .flatMap((field) => /^\s*(?!uuid:)(?:\w+: )?([a-zA-Z][\w.?]*)(?!\w*:)/.exec(field)?.[1] ?? []),
  );
}

/** Drafts whose key names no thing, or another mark of it than their form sends. */
const OTHER_KEYS: Record<string, string> = {
  "routes/huts/invite.tsx": "the page's only form, with the address of the hut as a field",
};

test("R-58 the key of a draft names each thing that its form is about, so that no other thing shows it", () => {
  expect(keys.length).toBeGreaterThan(15);
  const plain = (text: string) => text.replaceAll("?", "");
  const wrong = keys.filter(
    ({ key, about }) => !key.includes("${") || about.some((value) => !plain(key).includes(plain(value))),
  );
  expect(wrong.map(({ name }) => name).sort()).toEqual(Object.keys(OTHER_KEYS).sort());
});
