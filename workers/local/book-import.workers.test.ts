// The statements of the import command against a real D1.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { splitIntoSnippets } from "~/domain/items/split-book";
import { checkSql, importSql } from "./book-import.mjs";

test("D-11 C-46 the imported book has its numbered snippets, quotes included, and its slug is then taken", async () => {
  const user = await makeUser();
  const text = Array.from(
    { length: 45 },
    (_, i) => `Passage ${i + 1}: it's "here"; DROP TABLE items; -- ${"x ".repeat(150)}`,
  );
  const snippets = splitIntoSnippets(text.join("\n\n"));
  const book = { slug: "o-huts", by: user.username.toUpperCase() };
  const check = () => env.DB.prepare(checkSql(book)).first<{ owner: number | null; taken: number }>();
  expect(await check()).toEqual({ owner: user.personId, taken: 0 });
  for (const statement of importSql({ ...book, title: "O' Huts", snippets, now: 1_795_253_400_000 }))
    await env.DB.prepare(statement).run();
  expect(await check()).toEqual({ owner: user.personId, taken: 1 });
  const acts = await env.DB.prepare("SELECT action, reason FROM audit WHERE actor_id = ?")
    .bind(user.id)
    .all();
  expect(acts.results).toEqual([{ action: "book-imported", reason: "O' Huts" }]);
  const { serverData } = (await callAs(null, "GET", "/api/books")).body;
  expect(serverData.books).toMatchObject([{ slug: "o-huts", title: "O' Huts" }]);
  const { results } = await env.DB.prepare("SELECT number, content FROM snippets ORDER BY number").all();
  expect(results).toEqual(snippets.map((content, i) => ({ number: i + 1, content })));
  expect(await env.DB.prepare(checkSql({ slug: "new", by: "nobody" })).first()).toEqual({
    owner: null,
    taken: 0,
  });
  expect(await env.DB.prepare(checkSql({ slug: "new", by: "" })).first()).toMatchObject({ owner: null });
});
