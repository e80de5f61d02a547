// Concurrent requests of different calls: the actions, their users, and the check that none gets a 500.
import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, test, vi } from "vitest";
import { errorAnswer } from "~/http/reply.server";
import type { App } from "~/use-cases/app.server";
import { callAs } from "../support/ask";
import { appOf, db, makeUser, type TestUser } from "../support/factories";

type Answer = { status: number; body: { [name: string]: unknown } | null };
/** An action of a user. */
type Do = () => Promise<Answer>;

/** `call(who.ann, "POST /api/notes", { title: "N" })` */
export const call =
  (user: TestUser | null, line: string, body: object = {}): Do =>
  () => {
    const [method = "", path = ""] = line.split(" ");
    return callAs(user, method, path, method === "GET" ? undefined : body);
  };
/** The form of a page, for a use case that no call reaches. */
export const form =
  <I>(user: TestUser, useCase: (app: App, input: I) => Promise<unknown>, input: I): Do =>
  async () =>
    useCase(await appOf(user), input).then(
      () => ({ status: 200, body: null }),
      (thrown: unknown) => errorAnswer(thrown) as unknown as Answer,
    );
export const times = (n: number, what: Do): Do[] => Array.from({ length: n }, () => what);

/** The users of a test file: `ann` has enough tokens for most tests, `admin` is a super admin. */
export function usePeople() {
  const people = {} as { ann: TestUser; bob: TestUser; cleo: TestUser; admin: TestUser };
  beforeAll(async () => {
    people.ann = await makeUser({ tokens: 90_000 });
    people.bob = await makeUser();
    people.cleo = await makeUser();
    people.admin = await makeUser({ roleId: 10 });
  });
  /** Each of three users acts twice. */
  const each = (make: (user: TestUser) => Do): Do[] =>
    [people.ann, people.bob, people.cleo].flatMap((user) => times(2, make(user)));
  return Object.assign(people, { each });
}

/** The concurrent actions, and the check of the result. */
type Row = { at: Do[]; after?: (answers: Answer[]) => Promise<unknown> };
/** `says`: the permitted statuses. */
export const atOnce = (name: string, says: number[], make: () => Promise<Row>) =>
  test(`${name}, concurrently`, async () => {
    const { at, after } = await make();
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const answers = await Promise.all(at.map((what) => what()));
    const unknown = logged.mock.calls.map(String).filter((line) => line.includes("unknown-error"));
    logged.mockRestore();
    const odd = answers.filter(({ status }) => !says.includes(status));
    expect([odd.map(({ status, body }) => [status, body?.error]), unknown]).toEqual([[], []]);
    await after?.(answers);
  });
/** The ids of the created things, under this name in the answers. */
export const idsOf = (answers: Answer[], name: string) =>
  new Set(answers.flatMap(({ body }) => (body?.[name] ? [(body[name] as { id: number }).id] : [])));

export const rows = <T extends SQLiteTable>(table: T, where: SQL | undefined) =>
  db.select().from(table).where(where);
export const uuid = () => crypto.randomUUID();
export const short = () => `x${uuid().slice(0, 8)}`;
