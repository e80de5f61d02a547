// Prompts that are the next passage of a book, of single sessions and of series (H-06).
import { beforeEach, expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, errorCodeOf, makeUser, type TestUser } from "#tests/support/factories";
import { useRoomClock } from "#tests/support/rooms";
import { layOutDays, makeRichUser, nine, openOf, restSeries } from "#tests/support/series";
import { instant, seconds } from "~/domain/time";
import { importBook, viewBook } from "~/use-cases/items/books.server";
import { createSession } from "~/use-cases/sessions/create.server";
import { formForSession } from "~/use-cases/sessions/form.server";
import { createFromForm } from "./create-from-form.server";

useRoomClock();
beforeEach(restSeries);
keepBystanders(restSeries);

const app = (user: TestUser) => appOf(user, instant(Date.now()));
const WORDS = ["first", "second", "third"];

/** The slug of a book of three passages. */
async function makeBook(): Promise<string> {
  const keeper = await makeUser({ roleId: 10 });
  const { slug } = await importBook(await app(keeper), {
    title: `Fables of ${keeper.username}`,
    text: WORDS.map((word) => `${word} of ${keeper.username} `.repeat(60)).join("\n\n"),
  });
  expect((await viewBook(await app(keeper), { book: slug, page: 1 })).snippets).toHaveLength(3);
  return slug;
}
const wordOf = (prompt: string) => prompt.split(" ")[0];
const session = { title: "Reading hour", duration: seconds(3600), isManuallyStarted: false };
const single = async (host: TestUser, promptBook: string) =>
  wordOf((await createSession(await app(host), { ...session, promptBook })).session.prompt);

test("H-06 each session of a series takes the following passage, and the first comes after the last", async () => {
  const [host, other, book] = [await makeRichUser(), await makeRichUser(), await makeBook()];
  const weekly = { rule: "FREQ=WEEKLY", timeZone: "UTC" };
  const make = async (user: TestUser) =>
    (
      await createFromForm(await app(user), {
        ...session,
        startedAt: nine(2),
        promptBook: book,
        uuid: crypto.randomUUID(),
        series: weekly,
      })
    ).me.series?.id ?? 0;
  const [id, bystander] = [await make(host), await make(other)];
  const prompts = async (series: number) => (await openOf(series)).map(({ prompt }) => wordOf(prompt));
  expect(await prompts(id)).toEqual(["first", "second", "third", "first"]);
  await layOutDays(7);
  expect(await prompts(id)).toEqual(["first", "second", "third", "first", "second"]);
  expect(await prompts(bystander)).toEqual(await prompts(id));

  // A prompt for all takes the place of the book, in later sessions too.
  const change = { challenge: { prompt: "Read aloud." }, scope: "all" };
  const [first] = await openOf(id);
  expect((await callAs(host, "PATCH", `/challenge-events/${first?.id}/patch`, change)).status).toBe(200);
  await layOutDays(14);
  expect(new Set(await prompts(id))).toEqual(new Set(["Read"]));
  expect((await prompts(bystander)).at(-1)).toBe("third");
});

test("H-06 a date whose prompt was edited does not send its series back to the first passage", async () => {
  const [host, book] = [await makeRichUser(), await makeBook()];
  const made = await createFromForm(await app(host), {
    ...session,
    startedAt: nine(2),
    promptBook: book,
    uuid: crypto.randomUUID(),
    series: { rule: "FREQ=WEEKLY", timeZone: "UTC" },
  });
  const id = made.me.series?.id ?? 0;
  const prompts = async () => (await openOf(id)).map(({ prompt }) => wordOf(prompt));
  const edit = async (place: number) => {
    const change = { challenge: { prompt: "Guest night." }, scope: "this" };
    const path = `/challenge-events/${(await openOf(id))[place]?.id}/patch`;
    expect((await callAs(host, "PATCH", path, change)).status).toBe(200);
  };
  await edit(2);
  await edit(3);
  await layOutDays(7);
  expect(await prompts()).toEqual(["first", "second", "Guest", "Guest", "third"]);
  await edit(4);
  await layOutDays(14);
  expect((await prompts()).at(-1)).toBe("third");
});

test("H-06 a single session takes the passage after that of its host's last, and no unreadable book", async () => {
  const [host, other, book, another] = [
    await makeRichUser(),
    await makeRichUser(),
    await makeBook(),
    await makeBook(),
  ];
  expect(await single(host, book)).toBe("first");
  expect(await single(host, book)).toBe("second");
  expect(await single(other, book)).toBe("first");
  expect(await single(host, another)).toBe("first");
  expect(await single(host, book)).toBe("third");
  expect(await single(host, book)).toBe("first");
  expect(await errorCodeOf(single(host, "no-such-book"))).toBe("INVALID");
  const { books } = await formForSession(await app(host), {});
  expect(books.map(({ slug }) => slug)).toEqual(expect.arrayContaining([book, another]));
});
