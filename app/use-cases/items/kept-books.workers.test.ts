// Books that hold the paraphrases of others are kept (D-10).
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { actsOn, decide, send, warden } from "#tests/support/decisions";
import { appOf, db, makeUsers, type TestUser } from "#tests/support/factories";
import { makeItem } from "#tests/support/items";
import { post } from "#tests/support/visit";
import { storeBook } from "./books.server";

keepBystanders();

/** A book of its owner with a paraphrase of each writer, and an item below it. */
async function bookWith(owner: TestUser, writers: readonly TestUser[]) {
  const { slug } = await storeBook(await appOf(owner), {
    title: "Of Huts",
    about: "",
    passages: ["A passage."],
  });
  const [book] = await db.select().from(schema.items).where(eq(schema.items.slug, slug));
  const [snippet] = await db
    .select()
    .from(schema.snippets)
    .where(eq(schema.snippets.itemId, book?.id ?? 0));
  if (!book || !snippet) throw new Error("no book");
  const written = [];
  for (const writer of writers)
    written.push(
      await callAs(writer, "POST", "/api/paraphrases", { snippet_id: snippet.id, content: "My words" }),
    );
  expect(written.map(({ status }) => status)).toEqual(writers.map(() => 201));
  const below = await makeItem(owner, { parentId: book.id });
  const read = async () => ({
    status: (await db.select().from(schema.items).where(eq(schema.items.id, book.id)))[0]?.status,
    parentOfBelow: (await db.select().from(schema.items).where(eq(schema.items.id, below.id)))[0]?.parentId,
    authors: (
      await db
        .select()
        .from(schema.paraphrases)
        .where(eq(schema.paraphrases.snippetId, snippet.id))
        .orderBy(asc(schema.paraphrases.id))
    ).map(({ personId }) => personId),
  });
  return { id: book.id, read };
}
const KEPT =
  "Other people wrote paraphrases of this book, so you cannot delete it. You can unpublish it instead.";

test("D-10 the owner of a book with paraphrases of others unpublishes it, and cannot delete it by call or form", async () => {
  const [owner, reader] = await makeUsers(2);
  const book = await bookWith(owner, [owner, reader]);
  const whole = { status: 1, parentOfBelow: book.id, authors: [owner.personId, reader.personId] };
  const refused = await callAs(owner, "DELETE", `/items/${book.id}`);
  expect([refused.status, refused.body.message]).toEqual([409, KEPT]);
  expect((await post(owner, "/me", { intent: "item.delete", item: String(book.id) })).html).toContain(KEPT);
  expect(await book.read()).toEqual(whole);
  expect((await callAs(owner, "PATCH", `/items/${book.id}`, { itemData: { status: 0 } })).status).toBe(200);
  expect(await book.read()).toEqual({ ...whole, status: 0 });
});

test("D-10 a book with paraphrases of its owner only is deleted", async () => {
  const [owner] = await makeUsers(1);
  const book = await bookWith(owner, [owner]);
  expect((await callAs(owner, "DELETE", `/items/${book.id}`)).status).toBe(204);
  expect(await book.read()).toEqual({ status: undefined, parentOfBelow: 0, authors: [] });
});

test("D-10 Q-29 Q-30 the decision to remove a book with paraphrases of others hides it", async () => {
  const [root, [owner, reader]] = [await warden(), await makeUsers(2)];
  const book = await bookWith(owner, [reader]);
  await send(reader, "item", book.id);
  expect((await decide(root, "item", book.id, "remove")).status).toBe(302);
  expect(await book.read()).toEqual({ status: 0, parentOfBelow: book.id, authors: [reader.personId] });
  expect((await actsOn(owner)).map(({ action }) => action)).toEqual(["item-hidden"]);
  expect((await send(reader, "item", book.id)).status).toBe(404);
  const publish = (id: number) => callAs(owner, "PATCH", `/items/${id}`, { itemData: { status: 1 } });
  const refused = await publish(book.id);
  expect([refused.status, refused.body.message]).toEqual([
    403,
    "A decision on a report has hidden this book.",
  ]);
  const beside = await bookWith(owner, [reader]);
  await callAs(owner, "PATCH", `/items/${beside.id}`, { itemData: { status: 0 } });
  expect((await publish(beside.id)).status).toBe(200);
  const isAboutBook = eq(schema.decisions.targetId, String(book.id));
  await db.update(schema.decisions).set({ isGranted: true }).where(isAboutBook);
  expect((await publish(book.id)).status).toBe(200);
});
