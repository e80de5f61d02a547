// The pages of items and books, as rendered by the server, and their plain forms.
import { expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import { post, type Visited, visit } from "#tests/support/visit";
import { importBook, viewBook } from "~/use-cases/items/books.server";

const make = async (user: TestUser, itemData: object) =>
  (await callAs(user, "POST", "/items", { itemData })).body.item as {
    id: number;
    slug: string;
    path: string;
  };
const makeHut = async (user: TestUser, title: string): Promise<{ id: number; slug: string }> =>
  (await callAs(user, "POST", "/groups/store", { hut: { title } })).body.hut;
const chosenParent = async (page: Visited) =>
  (await page.all('main form input[name="parent"]')).find(({ attributes }) => "checked" in attributes)
    ?.attributes.value;
const itemsOf = async (user: TestUser) => (await dataOf(user, "/api/me")).items;

test("U-48 the form of an item has title, rich text, parent and published, with Create, then Save and Delete", async () => {
  const user = await makeUser();
  const hut = await makeHut(user, `Hut of ${user.username}`);
  const above = await make(user, { title: `Above ${user.username}`, status: 1 });
  expect(await (await visit(user, "/me")).all('main form input[name="title"]')).toEqual([]);

  const empty = await visit(user, "/me?create=1");
  expect(await empty.all('main form input[name="title"][required]')).toHaveLength(1);
  expect(await empty.all('main form textarea[name="content"]')).toHaveLength(1);
  expect(
    (await empty.all('main form input[name="parent"]')).map(({ attributes }) => attributes.value),
  ).toEqual(expect.arrayContaining([`hut:${hut.id}`, `item:${above.id}`, ""]));
  expect(await empty.all('main form[aria-label="New item"] input[name="isPublished"]')).toHaveLength(1);
  expect(await empty.texts('main form[aria-label="New item"] button[type="submit"]')).toEqual(["Create"]);
  expect(await chosenParent(empty)).toBe("");
  expect(await chosenParent(await visit(user, `/me?book_id=${above.id}`))).toBe(`item:${above.id}`);

  const typed = { intent: "item.create", content: "Some *text*", parent: `hut:${hut.id}`, isPublished: "on" };
  const wrong = await post(user, "/me?create=1", { ...typed, title: " " });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("Please give a title.");
  expect(await wrong.texts('main form textarea[name="content"]')).toEqual(["Some *text*"]);
  expect(await chosenParent(wrong)).toBe(`hut:${hut.id}`);

  const made = await post(user, "/me?create=1", { ...typed, title: "Kept here" });
  expect([made.status, made.location]).toEqual([302, "/me"]);
  const [item] = await itemsOf(user);
  expect(item).toMatchObject({ title: "Kept here", content: "Some *text*", status: 1, group_id: hut.id });

  const editing = await visit(user, `/me?edit=${item.id}`);
  expect((await editing.all('main form input[name="title"]'))[0]?.attributes.value).toBe("Kept here");
  expect(await editing.texts('main form[aria-label="Edit Kept here"] button[type="submit"]')).toEqual([
    "Save",
  ]);
  expect(await editing.all('main button[aria-label="Delete Kept here"]')).toHaveLength(1);
  expect(await chosenParent(editing)).toBe(`hut:${hut.id}`);
  const saved = await post(user, `/me?edit=${item.id}`, {
    intent: "item.update",
    item: String(item.id),
    title: "Kept there",
    content: "Other",
    parent: `item:${above.id}`,
  });
  expect([saved.status, saved.location]).toEqual([302, "/me"]);
  expect((await dataOf(user, `/api${above.path}`)).items).toMatchObject([
    { title: "Kept there", content: "Other", status: 0, parent_id: above.id },
  ]);
  await post(user, "/me", { intent: "item.delete", item: String(item.id) });
  expect((await dataOf(user, `/api${above.path}`)).items).toEqual([]);
});

test("S-20 the eye toggles Published and Unpublished", async () => {
  const user = await makeUser();
  const item = await make(user, { title: "Watched", status: 1 });
  const eye = async () => {
    const page = await visit(user, "/me");
    const [button] = (await page.all("main form button")).filter(({ attributes }) =>
      attributes["aria-label"]?.startsWith("Watched: "),
    );
    const [next] = await page.all('main form input[name="isPublished"]');
    return [button?.text, next?.attributes.value];
  };
  const press = async (isPublished: string) =>
    post(user, "/me", { intent: "item.publish", item: String(item.id), isPublished });
  expect(await eye()).toEqual(["Published", "0"]);
  expect((await visit(null, item.path)).status).toBe(200);
  await press("0");
  expect(await eye()).toEqual(["Unpublished", "1"]);
  expect((await visit(null, item.path)).status).toBe(404);
  await press("1");
  expect(await eye()).toEqual(["Published", "0"]);
  expect((await visit(null, item.path)).status).toBe(200);
});

test("U-49 a row of the owner's list has a handle, a pencil that opens its form, and a button that closes it", async () => {
  const user = await makeUser();
  const item = await make(user, { title: "A row" });
  const [row, open] = [await visit(user, "/me"), await visit(user, `/me?edit=${item.id}`)];
  expect(await row.all('main button[aria-label="Drag A row"]')).toHaveLength(1);
  const named = async (page: Visited, label: string) =>
    (await page.all(`main a[aria-label="${label}"]`))[0]?.attributes.href;
  expect(await named(row, "Edit A row")).toBe(`/me?edit=${item.id}`);
  expect(await row.all('main form[aria-label="Edit A row"]')).toEqual([]);
  expect(await open.all('main form[aria-label="Edit A row"]')).toHaveLength(1);
  expect(await named(open, "Close A row")).toBe("/me");
});

test("U-52 the parents to visit are own huts and items by path, None, and a new hut", async () => {
  const user = await makeUser();
  const hut = await makeHut(user, "Lookout");
  const above = await make(user, { title: "Above all", status: 1 });
  const links = await (await visit(user, "/me")).links("aside");
  expect(links).toMatchObject({
    "Lookout, hut": `/me/${hut.slug}`,
    "Above all": above.path,
    None: "/me",
    "New hut": "/groups/create",
  });
  const inHut = await visit(user, `/me/${hut.slug}`);
  expect((await inHut.all('aside a[aria-current="true"]')).map(({ text }) => text)).toEqual(["Lookout, hut"]);
});

test("U-50 others see an item's parent as a link, its day, title and text, folded at first", async () => {
  const user = await makeUser();
  const above = await make(user, { title: `Top of ${user.username}`, status: 1 });
  const item = await make(user, { title: "Below", content: "So *it* goes", status: 1, parent_id: above.id });
  const page = await visit(null, above.path);
  expect(await page.links('[aria-label="Items below"]')).toMatchObject({
    [`Top of ${user.username}`]: above.path,
    Below: item.path,
  });
  expect(await page.all('[aria-label="Items below"] time')).toHaveLength(1);
  const [text] = await page.all('[aria-label="Items below"] div.read-more');
  expect(text?.text).toBe("So it goes");
  expect(text?.attributes.class).not.toContain("is-open");
});

test("P-22 a passage of a book shows its text, its neighbours and its paraphrases", async () => {
  const [admin, reader] = [await makeUser({ roleId: 10 }), await makeUser()];
  const title = `Stoves of ${admin.username}`;
  const paragraph = (word: string) => `${`${word} `.repeat(120)}\n\n`;
  const { slug } = await importBook(await appOf(admin), {
    title,
    text: ["one", "two", "three"].map(paragraph).join(""),
  });
  const { snippets } = await viewBook(await appOf(admin), { book: slug, page: 1 });
  const [first, second] = snippets;
  if (!first || !second) throw new Error("no passages");
  const path = `/books/${slug}/snippets/${second.id}`;
  const page = await visit(null, path);
  expect(await page.texts("h1")).toEqual([`${title}, passage 2`]);
  expect((await page.texts("blockquote"))[0]).toMatch(/^two two/);
  expect(await page.links('nav[aria-label="Passages"]')).toMatchObject({
    "Passage before": `/books/${slug}/snippets/${first.id}`,
  });
  expect(page.html).toContain("Nobody has paraphrased this passage yet.");
  const form = { intent: "paraphrase.create", title: "Mine", content: "Twice *two*" };
  expect((await post(null, path, form)).status).toBe(401);
  expect((await post(reader, path, form)).status).toBe(302);
  const read = await visit(null, path);
  expect(read.html).toContain("<p>Twice <em>two</em></p>");
  expect(await read.links('[aria-label="Paraphrases"]')).toMatchObject({
    [reader.username]: `/${reader.username}`,
  });
  expect(await (await visit(null, `/books/${slug}`)).texts('[aria-label="Passages"] h2')).toEqual(
    snippets.map(({ number }) => `Passage ${number}`),
  );
  const books = await visit(null, "/books");
  expect(await books.links('[aria-label="Books"]')).toMatchObject({ [title]: `/books/${slug}` });
  const card = (await books.texts('[aria-label="Books"] li')).find((text) => text.startsWith(title));
  expect(card).toContain(`${snippets.length} passages`);
  expect(card).toContain("one one");
  expect((await visit(null, `/books/${slug}/snippets/999999`)).status).toBe(404);
  expect((await visit(null, `/books/nothing-like-it/snippets/${first.id}`)).status).toBe(404);
});

test("P-04 About shows a random passage with a link", async () => {
  const { slug } = await importBook(await appOf(await makeUser({ roleId: 10 })), {
    title: "A book by chance",
    text: "Only this passage is in it, and nothing else at all.",
  });
  const { links, texts } = await visit(null, "/about");
  expect((await texts("blockquote"))[0]).not.toBe("");
  expect(Object.values(await links()).filter((to) => /^\/books\/[^/]+\/snippets\/\d+/.test(to))).not.toEqual(
    [],
  );
  expect((await visit(null, `/books/${slug}`)).status).toBe(200);
});

test("C-47 My Items and the books list the favourites of their user, and nothing that the user may not read", async () => {
  const [user, writer] = [await makeUser(), await makeUser({ roleId: 10 })];
  const mine = await make(user, { title: `Mine ${user.username}` });
  const shown = await make(writer, { title: `Shown ${user.username}`, status: 1 });
  const hidden = await make(writer, { title: `Hidden ${user.username}`, status: 1 });
  await make(user, { title: `Plain ${user.username}` });
  const book = await importBook(await appOf(writer), {
    title: `Stars of ${user.username}`,
    text: `${"first ".repeat(120)}\n\n${"second ".repeat(120)}`,
  });
  const { snippets } = await viewBook(await appOf(user), { book: book.slug, page: 1 });
  const passage = snippets[1]?.id ?? 0;
  const star = async (who: TestUser, favoritable_type: string, favoritable_id: number, favorite = 1) =>
    expect(
      (await callAs(who, "POST", "/favorites", { favoritable_type, favoritable_id, favorite })).status,
    ).toBe(200);
  for (const { id } of [mine, shown, hidden]) await star(user, "item", id);
  // Favourites of another user.
  const theirs = await make(writer, { title: `Theirs ${user.username}`, status: 1 });
  await star(writer, "item", theirs.id);
  await star(writer, "snippet", snippets[0]?.id ?? 0);
  await star(user, "snippet", passage);
  await callAs(writer, "PATCH", `/items/${hidden.id}`, { itemData: { status: 0 } });
  const titles = async (path: string) => (await visit(user, path)).texts('ul[aria-label="Favourites"] h2');
  expect((await titles("/me?favorites=1")).sort()).toEqual([
    `Mine ${user.username}`,
    `Shown ${user.username}`,
  ]);
  expect(await titles("/books?favorites=1")).toEqual([`Stars of ${user.username}, passage 2`]);
  // The menu of parents has links to the same pages.
  const chips = async (path: string) =>
    (await (await visit(user, path)).all('main a[aria-current="true"]'))
      .filter(({ text }) => text === "Favourites")
      .map(({ attributes }) => attributes.href);
  expect(await chips("/me?favorites=1")).toEqual(["/me"]);
  expect(await chips("/me")).toEqual([]);
  expect((await visit(user, "/me")).html).toContain('href="/me?favorites=1"');
  await star(user, "item", shown.id, 0);
  expect(await titles("/me?favorites=1")).toEqual([`Mine ${user.username}`]);
  const { status, location } = await visit(null, "/books?favorites=1");
  expect([status, location]).toEqual([302, `/?auth=login&next=${encodeURIComponent("/books?favorites=1")}`]);
});
