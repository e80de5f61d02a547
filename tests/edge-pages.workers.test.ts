// Every page at the edge (E1): which are kept, that a copy depends only on its key, and that it holds nothing of a
// signed-in person.
import { beforeAll, expect, test } from "vitest";
import { FRAME_KEYS, isForEverybody, VISITOR_PAGES } from "#workers/visitor-pages";
import { ListQuery } from "~/domain/lists";
import { assemble, type Cast } from "./roles/cast";
import { PAGE_ROWS, place } from "./roles/pages";
import type { Row } from "./roles/table";
import { shelf } from "./roles/things";
import { edgeSite, nonceIn } from "./support/edge";

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble();
  things = shelf(cast);
});

const VISITOR = { role: "visitor", user: null } as const;
const pathOf = (row: Row) => `/${row.name.replace(/^\//, "")}`;
const addressOf = async (row: Row) =>
  `/${place(row.name, await things.take(row.kind, "theirs", VISITOR)).replace(/^\//, "")}`;

/** `coded`: a session with a join code. */
const isKept = (row: Row) =>
  VISITOR_PAGES[pathOf(row)] !== undefined &&
  row.expected("theirs", "visitor") === "ok" &&
  !row.kind.includes("coded");
const KEPT = PAGE_ROWS.filter(isKept);

test("E1 each page that the edge may keep is a page of the role matrix, which visitors see", () => {
  const rows = new Set(KEPT.map(pathOf));
  expect(Object.keys(VISITOR_PAGES).filter((path) => !rows.has(path))).toEqual([]);
});

test("E1 the second visitor of a page gets a copy exactly where it is declared, shown to visitors and without a code", async () => {
  const { get } = edgeSite();
  const wrong: string[] = [];
  for (const row of PAGE_ROWS) {
    const path = await addressOf(row);
    await get(path);
    const { state, status } = await get(path);
    if ((state === "hit; age=0") !== isKept(row)) wrong.push(`${row.name} (${row.kind}): ${status} ${state}`);
  }
  expect(wrong).toEqual([]);
}, 240_000);

/** Query keys that the sources of pages read, by `query.get("edit")`, `z.object({ page })` and the like. */
const sources = import.meta.glob<string>(
  ["../app/{routes,components,hooks,http}/**/*.{ts,tsx}", "!../app/**/*.test.{ts,tsx}"],
  { query: "?raw", import: "default", eager: true },
);
const QUERY_KEYS = [
  ...new Set([
    ...Object.keys(ListQuery.shape),
    ...Object.values(VISITOR_PAGES).flat(),
    ...FRAME_KEYS,
    ...Object.values(sources).flatMap((source) => [
      ...[...source.matchAll(/(?:query|[sS]earchParams|\[0\]|here|params)\.(?:get|has)\("(\w+)"\)/g)].map(
        ([, key = ""]) => key,
      ),
      ...[...source.matchAll(/\b(\w+): (?:z\.|oneLine|id\b|page\b|noticeCursor)/g)].map(
        ([, key = ""]) => key,
      ),
    ]),
  ]),
];
const VALUES: Record<string, string> = {
  auth: "register",
  category: "writing",
  expand: "goals_sub",
  next: "/books",
  product: "goals_sub",
  q: "zebra",
};
const valueFor = (key: string) => VALUES[key] ?? "2";

/** Page and copy differ in nonces, and in the part of the address that only links of the page repeat. */
function comparable(html: string, dropped: readonly string[]): string {
  const nonce = nonceIn(html);
  const plain = nonce === "" ? html : html.replaceAll(nonce, "NONCE");
  const keys = dropped.map((key) => `${key}(?:=|%3D)${valueFor(key)}`).join("|");
  const link = new RegExp(`(?:[?&]|&amp;|%3F|%26)(?:${keys})(?=[&"#%])`, "g");
  // The next key of a link then comes after a question mark.
  return plain
    .replaceAll(link, "")
    .replace(/&(amp;)?auth=/g, "?auth=")
    .replaceAll("%26joined", "%3Fjoined");
}

test("E1 a page depends on nothing that its key leaves out", async () => {
  expect(QUERY_KEYS).toEqual(expect.arrayContaining(["edit", "create", "auth", "expand", "page", "before"]));
  const wrong: string[] = [];
  for (const row of KEPT) {
    const { get, origin } = edgeSite();
    const { get: render } = edgeSite({ origin, over: { EDGE_CACHE: "off" } });
    const path = await addressOf(row);
    const declared = [...(VISITOR_PAGES[pathOf(row)] ?? []), ...FRAME_KEYS];
    const dropped = QUERY_KEYS.filter((key) => !declared.includes(key));
    const queried = (keys: readonly string[]) =>
      `${path}?${new URLSearchParams(keys.map((key) => [key, valueFor(key)]))}`;
    const asked: [difference: string, path: string, headers?: Record<string, string>][] = [
      ["nothing", path],
      ["nothing, again", path],
      ["theme", path, { Cookie: "theme=dark" }],
      ["time zone", path, { Cookie: "tz=Asia/Tokyo" }],
      ["language", path, { "Accept-Language": "de-DE,de;q=0.9" }],
      ["second language", path, { "Accept-Language": "de-DE,fr;q=0.9" }],
      ["proxy", path, { "X-Forwarded-For": "203.0.113.7" }],
      ...declared.map((key): [string, string] => [key, queried([key])]),
      ["the other query keys", queried(dropped)],
      [
        "other headers and cookies",
        path,
        {
          "User-Agent": "Another/1.0",
          "CF-Connecting-IP": "203.0.113.7",
          Referer: `${origin}/my/goals`,
          "Sec-Purpose": "prefetch",
          "Save-Data": "on",
          Cookie: "XSRF-TOKEN=abcdefghijklmnopqrstuvwxyz; device=unknown",
        },
      ],
    ];
    for (const [difference, address, headers] of asked) {
      const [kept, rendered] = [await get(address, headers), await render(address, headers)];
      const isSame =
        kept.status === rendered.status &&
        comparable(kept.html, dropped) === comparable(rendered.html, dropped);
      if (!isSame) wrong.push(`${row.name}: ${difference}`);
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

test("E1 no copy holds a byte of a signed-in person, and no page of theirs a byte of a copy", async () => {
  const user = cast.of("subscriber");
  const marks = [user.username, user.email, user.loginToken];
  const login = { Cookie: `login=${user.loginToken}; XSRF-TOKEN=token-of-the-signed-in-person` };
  const wrong: string[] = [];
  for (const isMemberFirst of [true, false]) {
    const { get } = edgeSite();
    for (const row of KEPT) {
      const path = await addressOf(row);
      const asMember = () => get(path, login);
      const [member, visitor, again] = isMemberFirst
        ? [await asMember(), await get(path), await get(path)]
        : await (async () => {
            const first = await get(path);
            const own = await asMember();
            return [own, first, await get(path)] as const;
          })();
      const name = `${row.name} (${isMemberFirst ? "member" : "visitor"} first)`;
      if (isForEverybody(path)) {
        // Only the countdowns differ, and here time rests.
        if (member.html !== visitor.html || again.html !== visitor.html) wrong.push(`${name}: not one page`);
        for (const { html, headers } of [member, visitor, again])
          if (headers.has("Set-Cookie") || marks.some((mark) => html.includes(mark)))
            wrong.push(`${name}: somebody's page`);
        continue;
      }
      if (member.status !== 200 || !member.html.includes(user.username) || member.state !== null)
        wrong.push(`${name}: not the member's own page`);
      if (visitor.state !== "miss" || again.state !== "hit; age=0") wrong.push(`${name}: no copy`);
      for (const { html, headers } of [visitor, again]) {
        const whole = html + JSON.stringify([...headers]);
        for (const mark of [...marks, nonceIn(member.html), "token-of-the-signed-in-person"])
          if (mark !== "" && whole.includes(mark)) wrong.push(`${name}: ${mark} in a copy`);
      }
      const xsrf = [visitor, again].map(
        ({ headers }) => /=([^;]*)/.exec(headers.getSetCookie()[0] ?? "")?.[1] ?? "",
      );
      const whole = member.html + JSON.stringify([...member.headers]);
      for (const mark of [nonceIn(visitor.html), nonceIn(again.html), ...xsrf])
        if (mark !== "" && whole.includes(mark)) wrong.push(`${name}: ${mark} in the member's page`);
      if (new Set(xsrf).size < 2) wrong.push(`${name}: one XSRF token for two visitors`);
    }
  }
  expect(wrong).toEqual([]);
}, 240_000);
