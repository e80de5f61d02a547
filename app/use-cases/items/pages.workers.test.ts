// The pages of items (Me, a person's page, an item's page): visibility, and rows read.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, makeUser, makeUsers, NOW, type TestUser, testApp } from "#tests/support/factories";
import { createApp } from "#workers/create-app";
import { instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { createHut, joinHut } from "~/use-cases/huts/huts.server";
import { createItem, viewItem, viewPerson } from "./items.server";
import { viewMe } from "./me.server";

let count = 0;
/** Each a second after the previous one. */
const make = async (user: TestUser, over: Partial<Parameters<typeof createItem>[1]> & { title: string }) =>
  createItem(await appOf(user, instant(NOW + count++ * 1000)), {
    content: "",
    parentId: null,
    hutId: null,
    isPublished: true,
    isBook: false,
    type: "item",
    url: "",
    ...over,
  });

test("P-42 D-08 C-03 a person's page shows others the published items and its owner all, by username in any case", async () => {
  const [user, stranger] = [await makeUser(), await makeUser()];
  await make(user, { title: `Shown of ${user.username}` });
  const hidden = await make(user, { title: `Hidden of ${user.username}`, isPublished: false });
  const titles = async (who: TestUser | null) =>
    (await dataOf(who, `/api/${user.username.toUpperCase()}`)).items.map(
      (item: { title: string }) => item.title,
    );
  for (const who of [null, stranger]) expect(await titles(who)).toEqual([`Shown of ${user.username}`]);
  expect(await titles(user)).toEqual([hidden.title, `Shown of ${user.username}`]);
  expect((await callAs(null, "GET", "/api/nobody-here")).status).toBe(404);
  // The data of that page, not a person's.
  for (const name of ["items", "tokens", "my"])
    expect((await dataOf(user, `/api/${name}`))?.person).toBeUndefined();
});

test("P-42 X-09 the URL of a top-level item works unless the item is hidden", async () => {
  const user = await makeUser();
  const item = await make(user, { title: "A very own name" });
  const hidden = await make(user, { title: "A hidden name", isPublished: false });
  expect(await viewPerson(await testApp(), { person: item.slug, page: 1 })).toEqual({ movedTo: item.path });
  await expect(viewPerson(await testApp(), { person: hidden.slug, page: 1 })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("P-43 U-51 E-19 an item's page shows the item, its breadcrumbs and its children", async () => {
  const [user, stranger] = [await makeUser(), await makeUser()];
  const hut = await createHut(await appOf(user), { title: `Hut of ${user.username}`, content: "" });
  const top = await make(user, { title: `Top of ${user.username}`, hutId: hut.id });
  const child = await make(user, { title: "A child", parentId: top.id });
  await make(user, { title: "A hidden child", parentId: top.id, isPublished: false });
  const page = await dataOf(null, `/api${top.path}`);
  expect(page).toMatchObject({
    item: { title: top.title, favorite: 0 },
    person: { id: user.personId, username: user.username },
    itemsCount: 1,
    items: [{ title: "A child", path: `/${top.slug}/${child.slug}` }],
    groups: [],
    group: { title: hut.title },
    parent: null,
    isOwner: 0,
    page: 1,
    breadcrumbs: [
      { title: user.username, path: `/${user.username}` },
      { title: hut.title, path: hut.path },
      { title: top.title, path: top.path },
    ],
  });
  const below = await dataOf(user, `/api/${top.slug}/${child.slug}`);
  expect(below).toMatchObject({
    isOwner: 1,
    parent: { title: top.title, path: top.path },
    group: { slug: hut.slug },
  });
  // The huts that the form of an item offers.
  const hutsFor = async (who: TestUser) =>
    (await viewItem(await appOf(who), { parentItem: top.slug, childItem: child.slug, page: 1 })).huts;
  expect(await hutsFor(user)).toMatchObject([{ slug: hut.slug }]);
  expect(await hutsFor(stranger)).toEqual([]);
  const hidden = await make(user, { title: "Not yet", isPublished: false });
  expect((await callAs(stranger, "GET", `/api${hidden.path}`)).status).toBe(404);
  expect((await callAs(user, "GET", `/api${hidden.path}`)).status).toBe(200);
});

test("P-44 U-53 A-11 Me shows own items and the hut's board, the form to the owner, and asks visitors to sign in", async () => {
  const [owner, member, stranger] = await makeUsers(3);
  const hut = await createHut(await appOf(owner), { title: `Board of ${owner.username}`, content: "*Here*" });
  await joinHut(await appOf(member), { slug: hut.slug });
  await make(owner, { title: `Own ${owner.id}` });
  const first = await make(owner, { title: `In the hut ${owner.id}`, hutId: hut.id });
  const theirs = await make(member, { title: `Of a member ${member.id}`, hutId: hut.id });
  await make(member, { title: `Hidden ${member.id}`, hutId: hut.id, isPublished: false });
  const me = await dataOf(owner, "/api/me");
  expect(me).toMatchObject({ isOwner: 1, group: null, groups: [{ slug: hut.slug }], itemsCount: 2, page: 1 });
  const board = await dataOf(owner, `/api/me/${hut.slug}`);
  expect(board).toMatchObject({
    isOwner: 1,
    group: { slug: hut.slug, content: "<p><em>Here</em></p>", user_count: 2 },
    items: [{ id: theirs.id }, { id: first.id }],
  });
  expect(await dataOf(member, `/api/me/${hut.slug}`)).toMatchObject({
    isOwner: 0,
    itemsCount: 3,
  });
  expect((await dataOf(stranger, `/api/me/${hut.slug}`)).itemsCount).toBe(2);
  expect((await callAs(owner, "GET", "/api/me/no-such-hut")).status).toBe(404);
  const refused = await callAs(stranger, "POST", "/items", { title: "Mine", group_id: hut.id });
  expect(refused.body.fields.group_id).toEqual(["Please choose a hut you belong to."]);
});

test("D-08 an item has one parent, and choosing another leaves the first", async () => {
  const user = await makeUser();
  const hut = await createHut(await appOf(user), { title: `One of ${user.username}`, content: "" });
  const top = await make(user, { title: "Above" });
  const item = await make(user, { title: "Below one", parentId: top.id });
  const put = async (itemData: object) => callAs(user, "PATCH", `/items/${item.id}`, { itemData });
  expect((await put({ group_id: hut.id })).body.item).toMatchObject({ parent_id: null, group_id: hut.id });
  expect((await put({ parent_id: top.id })).body.item).toMatchObject({ parent_id: top.id, group_id: null });
  expect((await put({ parent_id: top.id, group_id: hut.id })).body.fields.parent_id).toEqual([
    "Please choose one parent: a hut or an item.",
  ]);
  expect((await put({ parent_id: null })).body.item).toMatchObject({ parent_id: null, group_id: null });
});

test("D-09 an item moves one step up or down, before another, and between others' items on a hut's board", async () => {
  const [owner, member] = [await makeUser(), await makeUser()];
  const hut = await createHut(await appOf(owner), { title: `Moves of ${owner.username}`, content: "" });
  await joinHut(await appOf(member), { slug: hut.slug });
  const ids: number[] = [];
  for (const [user, title] of [
    [owner, "a"],
    [member, "b"],
    [owner, "c"],
    [member, "d"],
  ] as const)
    ids.push((await make(user, { title: `${title} ${hut.slug}`, hutId: hut.id })).id);
  const [a, b, c, d] = ids;
  const order = async (): Promise<number[]> =>
    (await dataOf(owner, `/api/me/${hut.slug}`)).items.map(({ id }: { id: number }) => id);
  const move = (id: number | undefined, itemData: object) =>
    callAs(owner, "PATCH", `/items/${id}`, { itemData: { group: hut.slug, ...itemData } });
  expect(await order()).toEqual([d, c, b, a]);
  await move(a, { step: "up" });
  expect(await order()).toEqual([d, c, a, b]);
  await move(a, { step: "up" });
  await move(a, { step: "up" });
  expect(await order()).toEqual([a, d, c, b]);
  const still = (await move(a, { step: "up" })).body.item.order_ms;
  expect((await move(a, {})).body.item.order_ms).toBe(still);
  await move(a, { after: d });
  expect(await order()).toEqual([d, a, c, b]);
  await move(c, { before: d });
  expect(await order()).toEqual([c, d, a, b]);
  await move(c, { step: "down" });
  expect(await order()).toEqual([d, c, a, b]);
  await move(d === undefined ? 0 : c, { to_end: 1 });
  expect(await order()).toEqual([d, a, b, c]);
  expect((await move(c, { after: 999_999 })).body.fields.after).toEqual([
    "This item is not in the same list.",
  ]);
  // The gap between two items of another member closes, and their orders stay.
  let answer = await move(a, { after: d });
  for (let i = 0; i < 80 && answer.status === 200; i++) answer = await move(i % 2 ? a : c, { after: d });
  expect(answer.body).toMatchObject({
    error_code: "CONFLICT",
    message: "There is no room between these two. Please choose another place.",
  });
});

test("D-09 a closed gap on a hut's board is renumbered among one's own items, and others' stay", async () => {
  const [owner, member] = [await makeUser(), await makeUser()];
  const hut = await createHut(await appOf(owner), { title: `Gaps of ${owner.username}`, content: "" });
  await joinHut(await appOf(member), { slug: hut.slug });
  const ids: number[] = [];
  for (const [user, title] of [
    [member, "lowest"],
    [owner, "a"],
    [owner, "b"],
    [owner, "c"],
    [member, "highest"],
  ] as const)
    ids.push((await make(user, { title: `${title} ${hut.slug}`, hutId: hut.id })).id);
  const [lowest, a, b, c, highest] = ids;
  const list = async (): Promise<{ id: number; order_ms: number }[]> =>
    (await dataOf(owner, `/api/me/${hut.slug}`)).items;
  const others = async () => (await list()).filter(({ id }) => id === lowest || id === highest);
  const before = await others();
  for (let i = 0; i < 80; i++) {
    const [moved, other] = i % 2 ? [b, a] : [a, b];
    const answer = await callAs(owner, "PATCH", `/items/${moved}`, {
      itemData: { group: hut.slug, after: c },
    });
    expect(answer.status, `move ${i}`).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual([highest, c, moved, other, lowest]);
  }
  expect(await others()).toEqual(before);
});

test("D1 a page of items reads in proportion to its size, however many items exist", async () => {
  const user = await makeUser();
  const app = await appOf(user);
  const hut = await createHut(app, { title: `Long of ${user.username}`, content: "" });
  for (const hutId of [null, hut.id])
    await env.DB.prepare(
      `INSERT INTO items (person_id, parent_id, hut_id, title, slug, status, order_ms, created_at, updated_at, content, content_html, summary)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
       SELECT ?1, 0, ?2, 't' || i, ?3 || i, i % 2, 1e12 + i, 0, 0, '', '', '' FROM n`,
    )
      .bind(user.personId, hutId, `${user.username}-${hutId ?? 0}-`)
      .run();
  const counting = async (who: TestUser | null, run: (app: App) => Promise<unknown>) => {
    const { d1, counts } = countingD1(env.DB);
    const { app } = await createApp(
      { ...env, DB: d1 },
      { ...(who ? { loginToken: who.loginToken } : {}), now: NOW, defer: () => {} },
    );
    counts.trips = 0;
    counts.rowsRead = 0;
    await run(app);
    return { ...counts };
  };
  const perPage = app.settings.perPage;
  // For each row the person, parent and hut, plus one extra item.
  const most = 5 * (perPage + 1) + 20;
  // The form offers at most 500 choices, read separately.
  const choices = 500 * 3 + most;
  const top = await make(user, { title: `Stands alone ${user.username}` });
  for (const [who, trips, limit, run] of [
    [null, 1, most, (app: App) => viewPerson(app, { person: user.username, page: 1 })],
    [user, 1, choices, (app: App) => viewMe(app, { page: 1 })],
    [user, 1, choices, (app: App) => viewMe(app, { hut: hut.slug, page: 1 })],
    [null, 2, most, (app: App) => viewItem(app, { parentItem: user.username, childItem: top.slug, page: 1 })],
  ] as const) {
    const counts = await counting(who, run);
    expect(counts.trips).toBe(trips);
    expect(counts.rowsRead).toBeGreaterThan(0);
    expect(counts.rowsRead, String(run)).toBeLessThan(limit);
  }
});
