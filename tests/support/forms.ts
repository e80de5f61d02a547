// A browser without JavaScript: reads the forms of a page's HTML, fills and posts them, and reads the answer.
import { ask, ORIGIN } from "./ask";
import type { TestUser } from "./factories";

export type ReadField = {
  name: string;
  kind: string;
  value: string;
  isOn: boolean;
  isInvalid: boolean;
  describedBy: string[];
};
export type ReadForm = { action: string; fields: ReadField[] };
export type ReadPage = {
  status: number;
  location: string | null;
  forms: ReadForm[];
  texts: Map<string, string>;
};

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot));/gi, (_, hex, decimal, name) =>
    name ? (NAMED[name] ?? "") : String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10)),
  );

async function readPage(response: Response): Promise<ReadPage> {
  const forms: ReadForm[] = [];
  const texts = new Map<string, string>();
  let form: ReadForm | undefined;
  let field: ReadField | undefined;
  const open: string[] = [];
  const begin = (element: Element, kind: string): ReadField => {
    const attribute = (name: string) => decode(element.getAttribute(name) ?? "");
    field = {
      name: attribute("name"),
      kind,
      value: attribute("value"),
      isOn: element.hasAttribute("checked"),
      isInvalid: attribute("aria-invalid") === "true",
      describedBy: attribute("aria-describedby").split(" ").filter(Boolean),
    };
    if (field.name && !element.hasAttribute("disabled")) form?.fields.push(field);
    return field;
  };
  const read = new HTMLRewriter()
    .on("form", {
      element(element) {
        form = { action: decode(element.getAttribute("action") ?? ""), fields: [] };
        forms.push(form);
        element.onEndTag(() => {
          form = undefined;
        });
      },
    })
    .on("input", {
      element: (element) => void begin(element, element.getAttribute("type") ?? "text"),
    })
    .on("button[name]", { element: (element) => void begin(element, "button") })
    .on("textarea", {
      element: (element) => void begin(element, "textarea"),
      text(chunk) {
        if (field) field.value += decode(chunk.text);
      },
    })
    .on("select", {
      element: (element) => {
        begin(element, "select").value = "";
      },
    })
    .on("select option", {
      element(element) {
        const value = decode(element.getAttribute("value") ?? "");
        if (field && (element.hasAttribute("selected") || (!field.isOn && field.value === "")))
          field.value = value;
        if (field && element.hasAttribute("selected")) field.isOn = true;
      },
    })
    .on('[id$="-error"], [role="alert"]', {
      element(element) {
        const id = element.getAttribute("id") ?? `alert ${texts.size}`;
        open.push(id);
        texts.set(id, "");
        element.onEndTag(() => void open.pop());
      },
    })
    .on('[id$="-error"], [id$="-error"] *, [role="alert"], [role="alert"] *', {
      text(chunk) {
        for (const id of open) texts.set(id, (texts.get(id) ?? "") + decode(chunk.text));
      },
    })
    // The contents of noscript are for this reader, so its tags are removed.
    .transform(new Response((await response.text()).replace(/<\/?noscript>/g, "")));
  await read.text();
  return { status: response.status, location: response.headers.get("Location"), forms, texts };
}

const headersOf = (user: TestUser | null): Record<string, string> => ({
  Accept: "text/html",
  ...(user ? { Cookie: `login=${user.loginToken}` } : {}),
});
export const openPage = async (user: TestUser | null, path: string): Promise<ReadPage> =>
  readPage(await ask(path, { headers: headersOf(user), redirect: "manual" }));

const isBox = ({ kind }: ReadField): boolean => kind === "checkbox" || kind === "radio";
/**
 * The fields that a browser would send, with `typed` filled in: for a checkbox `"on"` or `""`, for radios the chosen
 * value.
 */
function fill(form: ReadForm, typed: Record<string, string>): URLSearchParams {
  const sent = new URLSearchParams();
  for (const field of form.fields) {
    const { name, kind, value } = field;
    const given = typed[name];
    if (kind === "button" || kind === "submit") continue;
    if (kind === "checkbox") {
      if (given === undefined ? field.isOn : given !== "") sent.append(name, value || "on");
    } else if (kind === "radio") {
      if (given === undefined ? field.isOn : given === value) sent.append(name, value);
    } else sent.append(name, given ?? value);
  }
  return sent;
}

export async function post(
  user: TestUser | null,
  path: string,
  form: ReadForm,
  typed: Record<string, string>,
): Promise<ReadPage> {
  const address = form.action === "" ? path : form.action;
  return readPage(
    await ask(address, {
      method: "POST",
      redirect: "manual",
      headers: {
        ...headersOf(user),
        Origin: ORIGIN,
        Host: new URL(ORIGIN).host,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: fill(form, typed).toString(),
    }),
  );
}

/** The current value of a field, in the form that `fill` takes. */
export function standsIn(form: ReadForm, name: string): string | undefined {
  const all = form.fields.filter((field) => field.name === name);
  if (all.length === 0) return undefined;
  if (all.some(isBox)) {
    const on = all.find((field) => field.isOn);
    return on ? (on.kind === "radio" ? on.value : "on") : "";
  }
  return all[0]?.value;
}
