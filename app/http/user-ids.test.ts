import { expect, test } from "vitest";
import type { UseCase } from "~/use-cases/app.server";
import answers from "~/wire/answers.json";
import { refuseUserIds, type WithoutUserIds } from "./user-ids.server";

/** The signature of `load` and `on`. */
const read = <R>(_: UseCase<undefined, R> & WithoutUserIds<R>) => true;

type Post = { title: string; replies: Post[] };
type Signed = { title: string; userId: number; replies: Signed[] };

test("Q-45 the compiler refuses a use case whose page would have the id of a user, at any depth", () => {
  read(async () => ({ title: "A plan", rows: [{ id: 1, owner: "ewan" }], at: new Date(0) }));
  read(async (): Promise<Post[]> => []);
  // @ts-expect-error: a row has the id of its user
  read(async () => ({ rows: [{ id: 1, userId: 2 }] }));
  // @ts-expect-error: the optional owner is an id
  read(async (): Promise<{ hut?: { ownerId: number } | null }> => ({}));
  // @ts-expect-error: a recursive type has it as well
  read(async (): Promise<Signed[]> => []);
});

test("Q-45 page data from a wider row than its type throws in tests and local runs", () => {
  const wide = { id: 1, userId: 2 };
  const view: { rows: { id: number }[] } = { rows: [wide] };
  expect(() => refuseUserIds(view)).toThrow('"userId"');
  expect(() =>
    refuseUserIds({ hut: null, rows: [{ id: 1 }], at: new Date(0), none: undefined }),
  ).not.toThrow();
});

test("Q-45 the schema of no JSON answer has the id of a user", () => {
  expect(JSON.stringify(answers)).not.toMatch(/"(user|owner|host|actor|author|blocked)(_id|Id)"/);
});
