// Items of private huts and their parents: no item becomes public by a parent that is private (D-08, Q-27).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUsers, type TestUser } from "#tests/support/factories";
import { makeItem } from "#tests/support/items";
import { makeHut } from "#tests/support/sessions";

keepBystanders();

const put = (user: TestUser, id: number, itemData: object) =>
  callAs(user, "PATCH", `/items/${id}`, { itemData });
const itemNow = async (id: number) =>
  (await db.select().from(schema.items).where(eq(schema.items.id, id)))[0];
async function closedHut() {
  const [author, owner] = await makeUsers(2);
  const hut = await makeHut(owner, [owner, author]);
  await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
  const inHut = () => makeItem(author, { hutId: hut.id });
  return { author, hut, inHut };
}
const PUBLIC =
  "An item below that one would be public, because only that one is private. Please choose another parent.";

test("D-08 Q-27 an item goes under none of a private hut, nor under what is below it, and keeps the parent that it has", async () => {
  const { author, hut, inHut } = await closedHut();
  const [year, minutes] = [await inHut(), await inHut()];
  const below = await makeItem(author, { parentId: year.id });
  for (const parent_id of [year.id, below.id]) {
    const moved = await put(author, minutes.id, { parent_id });
    expect([moved.status, moved.body.fields?.parent_id]).toEqual([422, [PUBLIC]]);
    for (const status of [0, 1]) {
      const made = await callAs(author, "POST", "/items", { itemData: { title: "New", parent_id, status } });
      expect([made.status, made.body.fields?.parent_id]).toEqual([422, [PUBLIC]]);
    }
  }
  expect(await itemNow(minutes.id)).toMatchObject({ hutId: hut.id, parentId: 0, isPrivate: true });
  expect((await put(author, below.id, { title: "Mended", parent_id: year.id })).status).toBe(200);
  const open = await makeItem(author);
  expect((await put(author, below.id, { parent_id: open.id })).status).toBe(200);
});

test("D-08 Q-27 an item with others below it moves to no private hut, and to a public one", async () => {
  const { author, hut } = await closedHut();
  const open = await makeHut(author, [author]);
  const top = await makeItem(author);
  const below = await makeItem(author, { parentId: top.id });
  const refused = await put(author, top.id, { group_id: hut.id });
  expect([refused.status, refused.body.fields?.group_id]).toEqual([
    422,
    [
      "The items below would stay public, because only this one would move to the private hut. Please move them first.",
    ],
  ]);
  expect((await put(author, top.id, { group_id: open.id })).status).toBe(200);
  expect((await put(author, below.id, { group_id: hut.id })).status).toBe(200);
  expect((await put(author, top.id, { group_id: hut.id })).status).toBe(200);
  for (const { id } of [top, below])
    expect(await itemNow(id)).toMatchObject({ hutId: hut.id, isPrivate: true });
});

test("D-08 R-87 a private item stays private when the item above it is deleted in a public hut", async () => {
  const { author, hut, inHut } = await closedHut();
  const left = await inHut();
  const open = await makeHut(author, [author]);
  const top = await makeItem(author, { hutId: open.id });
  const shown = await makeItem(author, { parentId: top.id });
  await db.delete(schema.huts).where(eq(schema.huts.id, hut.id));
  const under = await put(author, shown.id, { parent_id: left.id });
  expect([under.status, under.body.fields?.parent_id]).toEqual([422, [PUBLIC]]);
  expect((await put(author, left.id, { parent_id: top.id })).status).toBe(200);
  expect((await callAs(author, "DELETE", `/items/${top.id}`)).status).toBe(204);
  expect(await itemNow(left.id)).toMatchObject({ parentId: 0, hutId: null, isPrivate: true });
  expect(await itemNow(shown.id)).toMatchObject({ parentId: 0, hutId: open.id, isPrivate: false });
});
