// Every form with a field shows the refusals of the form as a whole, and every other form reads the answer to its post.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = readdirSync(join(ROOT, "app"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".tsx"))
  .map((path) => `app/${path}`);

/** Elements without a field. A form of these alone shows a toast. */
const WITHOUT_FIELDS = new Set(["Button", "MenuButton", "Icon", "ReadyCount"]);
/** Forms whose fields or errors are in another component, with the reason. */
const SHOWN_ELSEWHERE: Record<string, string> = {
  "app/components/sessions/join-code-form.tsx":
    "a toast or the notice above the page, because the code has a modal",
  "app/components/form/button-form.tsx": "its uses are walked as forms",
  "app/components/sessions/actions.tsx": "the children of a repeat are a button",
  "app/components/series/new-series.tsx": "the children of a rule end in a SubmitRow",
};

const isTag = (node: ts.Node): node is ts.JsxOpeningElement | ts.JsxSelfClosingElement =>
  ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node);

/** Whether a tag may hold a field. */
function mayHoldField(tag: ts.JsxOpeningElement | ts.JsxSelfClosingElement): boolean {
  const name = tag.tagName.getText();
  if (/^[a-z]/.test(name))
    return /^(input|select|textarea)$/.test(name) && !tag.getText().includes('type="hidden"');
  return !WITHOUT_FIELDS.has(name);
}

type FoundForm = { file: string; hasField: boolean; showsRefusals: boolean };
function formsIn(file: string, text: string): FoundForm[] {
  const found: FoundForm[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && /^(ActionForm|ButtonForm)$/.test(node.openingElement.tagName.getText())) {
      const tags: (ts.JsxOpeningElement | ts.JsxSelfClosingElement)[] = [];
      const collect = (inner: ts.Node): void => {
        if (isTag(inner)) tags.push(inner);
        ts.forEachChild(inner, collect);
      };
      for (const child of node.children) collect(child);
      found.push({
        file,
        hasField:
          /children/.test(node.children.map((child) => child.getText()).join()) || tags.some(mayHoldField),
        showsRefusals: tags.some((tag) => /^(FormErrors|SubmitRow)$/.test(tag.tagName.getText())),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}
const FORMS = SOURCES.flatMap((file) => formsIn(file, readFileSync(join(ROOT, file), "utf8")));

test("M-02 M-06 every form with a field shows a refusal of the whole form", () => {
  const inCode = (children: string) =>
    formsIn("x.tsx", `const a = <ActionForm form={form}>${children}</ActionForm>`);
  expect(inCode('<TextRow name="name" /><Button>Go</Button>')).toMatchObject([
    { hasField: true, showsRefusals: false },
  ]);
  expect(inCode('<input name="name" /><SubmitRow form={form} />')).toMatchObject([
    { hasField: true, showsRefusals: true },
  ]);
  expect(inCode('<input type="hidden" name="a" /><Button>Go</Button>')).toMatchObject([{ hasField: false }]);
  expect(FORMS.length).toBeGreaterThan(90);
  const silent = FORMS.filter(({ hasField, showsRefusals }) => hasField && !showsRefusals).map(
    ({ file }) => file,
  );
  expect([...new Set(silent)].filter((file) => !(file in SHOWN_ELSEWHERE))).toEqual([]);
  expect(Object.keys(SHOWN_ELSEWHERE).filter((file) => !silent.includes(file))).toEqual([]);
});

/** Files whose own `<form>` posts without a hook of answers, with the reason. */
const ANSWERED_ELSEWHERE: Record<string, string> = {
  "app/components/form/action-form.tsx": "useActionForm reads its answer",
  "app/components/goals/log-screen.tsx": "a page without scripts",
  "app/components/layout/header.tsx": "the logout is not refused",
  "app/components/layout/landing-toast.tsx": "only in noscript",
  "app/components/layout/theme-choice.tsx": "the theme is not refused",
  "app/components/room/chat-box.tsx": "the chat shows it",
  "app/components/room/plain-line-tools.tsx": "only without scripts",
  "app/components/room/ready.tsx": "the session's actions read it",
  "app/components/accounts/sign-in-tabs.tsx": "only links to the other form",
  "app/routes/accounts/account.tsx": "the logout is not refused",
  "app/routes/accounts/confirm-email.tsx": "the address shows it",
  "app/routes/safety/suspended.tsx": "the logout is not refused",
  "app/routes/sessions/view.tsx": "a page without scripts",
};

test("M-25 every form without a hook reads the refusal of its post", () => {
  const posts = SOURCES.filter((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const isPost = /<[fF]orm\b[^>]*?method="post"/s.test(text) || /<Form \{\.\.\.formProps\}/.test(text);
    return isPost && !/\b(usePostedRefusal|useAnswer)\(/.test(text);
  });
  expect(posts.filter((file) => !(file in ANSWERED_ELSEWHERE))).toEqual([]);
  expect(Object.keys(ANSWERED_ELSEWHERE).filter((file) => !posts.includes(file))).toEqual([]);
});
