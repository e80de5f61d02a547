// Inserts items straight into D1, for tests that do not depend on their creation.
import { schema } from "#db/connect.server";
import { db, NOW, type TestUser } from "./factories";

/** A published item of `owner`; `over` sets any column. */
export async function makeItem(owner: TestUser, over: Partial<typeof schema.items.$inferInsert> = {}) {
  const [item] = await db
    .insert(schema.items)
    .values({
      personId: owner.personId,
      title: "An item",
      slug: `item-${crypto.randomUUID()}`,
      status: 1,
      orderMs: NOW,
      createdAt: NOW,
      updatedAt: NOW,
      ...over,
    })
    .returning();
  if (!item) throw new Error("no item");
  return item;
}
