// Requests pages through the real HTTP stack, rendered on the server, and reads them by selectors.
import { ask, ORIGIN } from "./ask";
import type { TestUser } from "./factories";

type Element = { text: string; attributes: Record<string, string> };
export type Visited = {
  status: number;
  /** The target of a redirect, without our origin. */
  location: string | null;
  headers: Headers;
  html: string;
  /** Every element that matches a selector, with all its text. */
  all(selector: string): Promise<Element[]>;
  /** The elements that a browser without scripts has, with the content of noscript. */
  allWithoutScripts(selector: string): Promise<Element[]>;
  texts(selector: string): Promise<string[]>;
  /** `text → href` of the links in there. */
  links(within?: string): Promise<Record<string, string>>;
};

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'" };
const decoded = (text: string) => text.replace(/&(#?\w+);/g, (all, name) => ENTITIES[name] ?? all);

async function select(html: string, selector: string): Promise<Element[]> {
  const found: Element[] = [];
  const open: Element[] = [];
  const rewriter = new HTMLRewriter().on(selector, {
    element(element) {
      const attributes = Object.fromEntries(
        [...(element.attributes as unknown as Iterable<[string, string]>)].map(([name, value]) => [
          name,
          decoded(value),
        ]),
      );
      const one = { text: "", attributes };
      found.push(one);
      try {
        element.onEndTag(() => void open.splice(open.indexOf(one), 1));
        open.push(one);
      } catch {
        // A void element has no text.
      }
    },
    text(chunk) {
      for (const one of open) one.text += chunk.text;
    },
  });
  await rewriter.transform(new Response(html)).text();
  return found.map(({ text, attributes }) => ({
    text: decoded(text).replace(/\s+/g, " ").trim(),
    attributes,
  }));
}

/** The texts of the alerts that a browser without scripts shows. */
export const alertsIn = async (html: string): Promise<string[]> =>
  (await select(html.replace(/<\/?noscript>/g, ""), "main [role=alert]")).map(({ text }) => text);

async function read(response: Response): Promise<Visited> {
  const html = await response.text();
  const all = (selector: string) => select(html, selector);
  return {
    status: response.status,
    location: response.headers.get("Location")?.replace(ORIGIN, "") ?? null,
    headers: response.headers,
    html,
    all,
    allWithoutScripts: (selector) => select(html.replace(/<\/?noscript>/g, ""), selector),
    texts: async (selector) => (await all(selector)).map(({ text }) => text),
    links: async (within = "main") =>
      Object.fromEntries(
        (await all(`${within} a`)).map(({ text, attributes }) => [text, attributes.href ?? ""]),
      ),
  };
}

const cookies = (user: TestUser | null, set: string[] = []): Record<string, string> => {
  const all = [...(user ? [`login=${user.loginToken}`] : []), ...set.map((one) => one.split(";")[0])];
  return all.length > 0 ? { Cookie: all.join("; ") } : {};
};

/** A page as `user` (null: a visitor) gets it, before any JavaScript; with the cookies of an `earlier` answer. */
export const visit = async (user: TestUser | null, path: string, earlier?: Visited): Promise<Visited> => {
  const headers = { ...cookies(user, earlier?.headers.getSetCookie()), Accept: "text/html" };
  return read(await ask(path, { redirect: "manual", headers }));
};

/** Posts a plain form of that page. */
export const post = async (
  user: TestUser | null,
  path: string,
  form: Record<string, string>,
): Promise<Visited> =>
  read(
    await ask(path, {
      method: "POST",
      redirect: "manual",
      headers: { ...cookies(user), Origin: ORIGIN, Host: new URL(ORIGIN).host, Accept: "text/html" },
      body: new URLSearchParams(form),
    }),
  );
