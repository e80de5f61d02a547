// Forms that keep the hut or the parent of a thing, though it is no choice of their editor any more (P-25, U-48).
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { makeUser, type TestUser } from "#tests/support/factories";
import { makeActivity, makeHut } from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";

keepBystanders();

const attach = (user: TestUser, hut: { slug: string }, activity: { slug: string }) =>
  callAs(user, "PATCH", `/groups/${hut.slug}/${activity.slug}/attach-challenge`, {});
const hutOf = (table: "activities" | "items", id: number) =>
  env.DB.prepare(`SELECT hut_id FROM ${table} WHERE id = ?`).bind(id).first<number>("hut_id");
const chosen = async (page: Visited, selector: string, mark: string) =>
  (await page.all(selector)).find(({ attributes }) => mark in attributes)?.attributes.value;

test("P-25 R-22 Update Activity keeps the hut to which another person attached it, until its owner chooses None", async () => {
  const [owner, maker, boss] = [await makeUser(), await makeUser(), await makeUser({ roleId: 10 })];
  const hut = await makeHut(owner, [owner]);
  const activity = await makeActivity(maker);
  expect((await attach(owner, hut, activity)).status).toBe(200);
  const path = `/challenges/${activity.slug}/update`;
  const save = async (user: TestUser, hutId: string, title: string) => {
    const { status } = await post(user, path, { intent: "update", title, duration: "30m", hutId });
    return [status, await hutOf("activities", activity.id)];
  };
  for (const user of [maker, boss]) {
    const hutId = (await chosen(await visit(user, path), 'select[name="hutId"] option', "selected")) ?? "";
    expect(hutId).toBe(String(hut.id));
    expect(await save(user, hutId, `Mended by ${user.username}`)).toEqual([302, hut.id]);
  }
  // A hut of others is a choice only while the activity is in it.
  expect(await save(maker, "", "Taken out")).toEqual([302, null]);
  expect(await save(maker, String(hut.id), "Put back")).toEqual([422, null]);
});

test("U-48 D-08 the form of an item keeps a hut that its person has left", async () => {
  const [owner, person] = [await makeUser(), await makeUser()];
  const hut = await makeHut(owner, [owner, person]);
  const made = await callAs(person, "POST", "/items", {
    itemData: { title: `Leaf of ${person.username}`, content: "", group_id: hut.id, status: 1 },
  });
  const { id, path } = made.body.item;
  expect((await callAs(person, "DELETE", `/groups/${hut.slug}/leave`)).status).toBe(200);
  const form = await visit(person, `${path}?edit=${id}`);
  const parent = (await chosen(form, 'main form input[name="parent"]', "checked")) ?? "";
  expect(parent).toBe(`hut:${hut.id}`);
  const fields = { intent: "item.update", item: String(id), content: "", isPublished: "on" };
  const save = async (title: string, to: string) => {
    const { status } = await post(person, `${path}?edit=${id}`, { ...fields, title, parent: to });
    return [status, await hutOf("items", id)];
  };
  expect(await save("Leaf mended", parent)).toEqual([302, hut.id]);
  expect(await save("Leaf taken out", "")).toEqual([302, null]);
  expect(await save("Leaf put back", parent)).toEqual([422, null]);
});

test("U-48 the form of an item keeps a parent that is older than the 500 that it offers", async () => {
  const person = await makeUser();
  const make = async (itemData: object) =>
    (await callAs(person, "POST", "/items", { itemData })).body.item as { id: number; path: string };
  const trunk = await make({ title: `Trunk of ${person.username}`, content: "", status: 1 });
  await env.DB.prepare(
    `INSERT INTO items (slug, person_id, title, order_ms, created_at, updated_at, content, content_html, summary)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)
     SELECT 'leaf-' || ?1 || '-' || i, ?1, 'Leaf', 9000000000000 + i, 1, 1, '', '', '' FROM n`,
  )
    .bind(person.personId)
    .run();
  const twig = await make({
    title: `Twig of ${person.username}`,
    content: "",
    parent_id: trunk.id,
    status: 1,
  });
  const form = await visit(person, `${twig.path}?edit=${twig.id}`);
  expect(await chosen(form, 'main form input[name="parent"]', "checked")).toBe(`item:${trunk.id}`);
});
