// Hostile forms, posted to the action of every page in the route table.
import { expect, test } from "vitest";
import { ask, ORIGIN } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { drawn } from "#tests/support/property-seed";
import { filled, pageRoutes } from "#tests/support/route-table";

const MULTIPART = "multipart/form-data; boundary=edge";
const XSRF = "test-xsrf-token-0123456789";
const FORM = "application/x-www-form-urlencoded";

async function send(path: string, body: BodyInit, type: string | null, user: TestUser | null = null) {
  const answer = await ask(path, {
    method: "POST",
    redirect: "manual",
    headers: {
      Accept: "text/html",
      Origin: ORIGIN,
      Host: new URL(ORIGIN).host,
      ...(type === null ? {} : { "Content-Type": type }),
      "X-XSRF-TOKEN": XSRF,
      Cookie: `XSRF-TOKEN=${XSRF}${user ? `; login=${user.loginToken}` : ""}`,
    },
    body: type === null ? new TextEncoder().encode(String(body)) : body,
  });
  const html = await answer.text();
  const isPage = answer.headers.get("Content-Type")?.startsWith("text/html") === true;
  return { status: answer.status, isPage, isSmall: html.length < 100_000, html };
}

const many = (count: number, field: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => field(n)).join("&");
const HOSTILE: Record<string, string> = {
  "an index of 99999999": "email[99999999]=x",
  "an index of 20000000": "email[20000000]=x",
  "an index of 1000": "email[1000]=x",
  "an index of 1e30": `email[${"9".repeat(30)}]=x`,
  "20000 levels": `a${".b".repeat(20_000)}=x`,
  "7 levels": "a.b.c.d.e.f.g=x",
  "7 levels of lists": "a[0][0][0][0][0][0][0]=x",
  "5001 fields": many(5001, (n) => `f${n}=x`),
  "a million fields": "&".repeat(200_000),
  "a name of 201 characters": `${"n".repeat(201)}=x`,
  "a name repeated 1001 times": many(1001, () => "email=x"),
  "lists that are mostly empty": many(200, (n) => `a${n}[999][999][999]=x`),
  "a length of a list": "a[0]=x&a.length=99999999",
  "a length of a repeated field": "a=x&a=y&a.length=99999999",
  __proto__: "__proto__.isAdmin=1",
  "__proto__ within": "goals[0].__proto__.isAdmin=1",
  "constructor.prototype": "constructor.prototype.isAdmin=1",
  toString: "toString=x",
  hasOwnProperty: "goals[0].hasOwnProperty=x",
  "a parser's intent": `__intent__=${encodeURIComponent('{"type":"insert","payload":{"name":"a","index":99999999}}')}`,
  "a parser's state": "__state__=%7B",
  "a broken name": "a[x]=1",
};

const pathsWithAction = async () =>
  pageRoutes()
    // Signing out ignores the posted form.
    .filter(({ path, module }) => "action" in module && path !== "/auth/logout")
    .map(({ path }) => filled(path, { tab: "login", parentItem: "nobody" }));

test("X-02 every page's action refuses a hostile field name before login, and answers with a page", async () => {
  const paths = await pathsWithAction();
  expect(paths.length).toBeGreaterThan(25);
  const wrong: string[] = [];
  for (const path of paths)
    for (const name of ["an index of 99999999", "20000 levels", "5001 fields", "constructor.prototype"]) {
      const { status, isPage, isSmall } = await send(path, HOSTILE[name] ?? "", FORM);
      if (status !== 422 || !isPage || !isSmall) wrong.push(`${path}: ${name}: ${status}`);
    }
  expect(wrong).toEqual([]);
});

test.each(Object.entries(HOSTILE))(
  "X-02 a form with %s is refused with a small page",
  async (_name, body) => {
    for (const [path, user] of [
      ["/forgot-password", null],
      ["/my/goals", await makeUser()],
    ] as const)
      expect(await send(path, body, FORM, user)).toMatchObject({ status: 422, isPage: true, isSmall: true });
  },
);

test("X-02 a multipart form has the same limits on names and field count", async () => {
  const field = (name: string) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
  for (const names of [["email[99999999]"], Array.from({ length: 5001 }, (_, n) => `f${n}`)]) {
    const body = `${names.map(field).join("")}--edge--\r\n`;
    expect(await send("/my/goals", body, MULTIPART)).toMatchObject({ status: 422, isPage: true });
  }
});

test("X-02 P3 a boundary has at most RFC 2046's 70 characters, in a form and in an upload", async () => {
  const user = await makeUser();
  for (const [length, status] of [
    [70, 200],
    [71, 422],
    [8000, 422],
  ] as const) {
    const boundary = "-".repeat(length);
    const field = `--${boundary}\r\nContent-Disposition: form-data; name="email"\r\n\r\na@example.com\r\n`;
    const body = `${field}--${boundary}--\r\n`;
    const type = `multipart/form-data; boundary=${boundary}`;
    expect([length, (await send("/forgot-password", body, type)).status]).toEqual([length, status]);
    const upload = await send("/upload/text", body, type, user);
    if (status === 422)
      expect(upload).toMatchObject({ status, html: expect.stringContaining("arrive whole") });
    else expect(upload.html).toContain("choose an image");
  }
});

test("X-02 P3 an upload's form has at most 5000 fields", async () => {
  const field = '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  const upload = await send("/upload/text", `${field.repeat(5001)}--edge--\r\n`, MULTIPART, await makeUser());
  expect(upload).toMatchObject({ status: 422, html: expect.stringContaining("arrive whole") });
});

test("X-02 every page's action answers 415 to a body that is no form, and 422 to a malformed form", async () => {
  const wrong: string[] = [];
  const bodies = [
    [415, "application/json", '{"email":"a@example.com"}'],
    [415, "text/plain", "email=a"],
    [415, "application/x-www-form-urlencodedx", "email=a"],
    [415, null, "email=a"],
    [422, MULTIPART, "--edge\r\nContent-Disposition: form-data"],
    [422, "multipart/form-data", "--edge--"],
  ] as const;
  for (const [place, path] of (await pathsWithAction()).entries())
    for (const [expected, type, body] of drawn(bodies, 2, place)) {
      const { status, isPage } = await send(path, body, type);
      if (status !== expected || !isPage) wrong.push(`${path}: ${type}: ${status}`);
    }
  expect(wrong).toEqual([]);
});

test("X-02 an intent named like a property of Object.prototype is unknown", async () => {
  for (const intent of ["toString", "constructor", "__proto__", "hasOwnProperty", "nonsense"])
    expect((await send("/forgot-password", `intent=${intent}`, FORM)).status, intent).toBe(404);
});

test("X-02 a form with the fields of the largest goal is accepted", async () => {
  const fields = many(1200, (n) => `goals[${n % 100}].items[${Math.floor(n / 100)}].title=x`);
  const { status } = await send("/forgot-password", `email=nobody%40example.com&${fields}`, FORM);
  expect(status).toBe(200);
});
