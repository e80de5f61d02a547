// Every address that reads a body refuses a body that is too long, deeply nested or of the wrong type. The answer is
// small and comes before the rest is read (R-35, D-06).
import { expect, test } from "vitest";
import { api } from "#workers/api";
import { UPLOAD_LIMIT } from "~/domain/items/images";
import { MAX_BYTES_WITH_TEXTS, MAX_BYTES_WITHOUT_TEXTS } from "~/http/read-form.server";
import { ask, callAs, ORIGIN } from "./support/ask";
import { makeUser } from "./support/factories";
import { longBody } from "./support/long-body";
import { filled, pageRoutes } from "./support/route-table";

const XSRF = "test-xsrf-token-0123456789";
const MB = 1_000_000;
/** Bytes that may be in buffers between the sender and the worker. */
const IN_FLIGHT = MB / 2;
const FORM = "application/x-www-form-urlencoded";

type Door = { name: string; method: string; path: string; type: string; start: string; limit: number };

/** Pages with forms for texts, goals or plans; the page of a series holds the thread of its posts. */
const HOLDS_TEXTS =
  /^\/(challenges|groups\/|huts\/|group\/.*\/forum|events\/|sessions\/[^/]+(\/(goals|logs|hut))?$|series\/[^/]+$|my\/|me|books\/|nobody)/;

async function pageDoors(): Promise<Door[]> {
  return pageRoutes()
    .filter(({ path, module }) => "action" in module && path !== "/auth/logout")
    .map(({ path }) => filled(path, { tab: "login", parentItem: "nobody" }))
    .map((path) => ({
      name: `POST ${path}`,
      method: "POST",
      path,
      type: FORM,
      start: "title=",
      limit: HOLDS_TEXTS.test(path) ? MAX_BYTES_WITH_TEXTS : MAX_BYTES_WITHOUT_TEXTS,
    }));
}

const callDoors: Door[] = api
  .filter(({ call }) => call.method !== "GET")
  .map(({ call }) => ({
    name: `${call.method} ${call.path}`,
    method: call.method,
    path: call.path.replace(/\{\w+\}/g, "1"),
    type: "application/json",
    start: '{"title":"',
    limit: call.bodyLimit,
  }));

const otherDoors: Door[] = [
  {
    name: "an upload",
    method: "POST",
    path: "/upload/text",
    type: "multipart/form-data; boundary=edge",
    start: '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
    limit: UPLOAD_LIMIT + 10_000,
  },
  {
    name: "the provider's webhook",
    method: "POST",
    path: "/webhooks/stripe",
    type: "application/json",
    start: '{"type":"',
    limit: 256 * 1024,
  },
];

const doors = async () => [...(await pageDoors()), ...callDoors, ...otherDoors];

/** Signs in as a super admin, for whom every call reads its body. */
async function sender() {
  const user = await makeUser({ roleId: 10 });
  return async ({ method, path, type }: Pick<Door, "method" | "path" | "type">, body: BodyInit) => {
    const answer = await ask(path, {
      method,
      redirect: "manual",
      headers: {
        Cookie: `XSRF-TOKEN=${XSRF}; login=${user.loginToken}`,
        Origin: ORIGIN,
        Host: new URL(ORIGIN).host,
        "X-XSRF-TOKEN": XSRF,
        "Content-Type": type,
      },
      body,
    });
    return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
  };
}

test("R-35 D-06 every address refuses a body over its limit with 413 and leaves the rest unread", async () => {
  const send = await sender();
  const wrong: string[] = [];
  for (const [n, door] of (await doors()).entries())
    for (const bytes of n % 10 === 0 || otherDoors.includes(door)
      ? [door.limit + 1, 20 * MB, 90 * MB]
      : [door.limit + 1]) {
      const { body, sent } = longBody(Math.max(bytes, door.limit + 1), door.start);
      const answer = await send(door, body);
      if (answer.status !== 413) wrong.push(`${door.name}: ${answer.status} for ${bytes} bytes`);
      if (answer.bytes > 100_000) wrong.push(`${door.name}: an answer of ${answer.bytes} bytes`);
      if (sent() > door.limit + IN_FLIGHT) wrong.push(`${door.name}: read ${sent()} of ${bytes}`);
    }
  expect(wrong).toEqual([]);
}, 120_000);

test("X-02 every address that reads a body refuses a wrong content type with 415", async () => {
  const send = await sender();
  const wrong: string[] = [];
  for (const door of [...(await pageDoors()), ...callDoors])
    for (const type of ["text/plain", "application/xml", door.type === FORM ? "application/json" : FORM]) {
      const { status, bytes } = await send({ ...door, type }, "title=x");
      if (status !== 415 || bytes > 100_000) wrong.push(`${door.name}: ${type}: ${status}, ${bytes} bytes`);
    }
  expect(wrong).toEqual([]);
}, 60_000);

test("R-35 every JSON call refuses nesting of 51 levels and of thousands, and accepts text full of brackets", async () => {
  const send = await sender();
  const wrong: string[] = [];
  for (const [n, door] of callDoors.entries())
    for (const levels of n % 10 === 0 ? [51, Math.floor(door.limit / 4)] : [51])
      for (const [open, close] of [
        ["[", "]"],
        ['{"a":', "}"],
      ] as const) {
        const depth = open === "[" ? levels : Math.min(levels, Math.floor(door.limit / 8));
        const { status, bytes } = await send(
          door,
          open.repeat(depth) + (open === "[" ? "" : "1") + close.repeat(depth),
        );
        if (status !== 422 || bytes > 100_000) wrong.push(`${door.name}: ${depth} of ${open}: ${status}`);
      }
  expect(wrong).toEqual([]);
  const note = {
    name: "",
    method: "POST",
    path: "/api/notes",
    type: "application/json",
    start: "",
    limit: 0,
  };
  const text = JSON.stringify({ title: "[[[{{{".repeat(20), content: '\\"[['.repeat(100) });
  expect((await send(note, text)).status).toBe(201);
}, 60_000);

test("R-35 P3 a JSON call names at most 100 wrong values, and refuses 50,000 of them unread", async () => {
  const send = await sender();
  const call = { method: "POST", path: "/challenges", type: "application/json" };
  for (const count of [10_000, 60_000]) {
    const tasks = new Array(count).fill(0);
    const body = JSON.stringify({ challenge: { title: "Sit", tasks } });
    const { status, bytes } = await send(call, body);
    expect([count, status, bytes < 20_000]).toEqual([count, 422, true]);
  }
  const tasks = new Array(60_000).fill(0);
  const { body } = await callAs(await makeUser(), "POST", "/challenges", {
    challenge: { title: "Sit", tasks },
  });
  expect(body.message).toBe("The JSON has too many values.");
});
