// Words without spaces in titles, names, tags and addresses: no page scrolls sideways because of them, at 360 and
// 1280 px.
import type { Page } from "@playwright/test";
import { brokenWords } from "./broken-words";
import { call, expect, newPerson, test } from "./fixtures";

const long = (length: number): string => "Wanderweg".repeat(Math.ceil(length / 9)).slice(0, length);
const WORD = long(100);
const TEXT = `${long(180)} [${long(60)}](https://example.com/${long(60)}) \`${long(60)}\`\n\n# ${WORD}\n\n| ${WORD} | b |\n|---|---|\n| ${WORD} | c |`;

/** The innermost elements beyond the right edge of a page that scrolls sideways. */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 1,
    );
    const long = wide.filter(
      (element) =>
        !wide.some((other) => other !== element && element.contains(other)) &&
        /\S{30}/.test(element.textContent ?? ""),
    );
    return (long.length ? long : wide).slice(0, 3).map((element) => element.outerHTML.slice(0, 160));
  });

test("no word is too long for a page at 360 or 1280 pixels", async ({ browser }) => {
  const writer = await newPerson(browser, "Wide-Wanderweg-WW");
  const { page, username } = writer;
  const must = async (method: string, path: string, data: unknown, status = 201) => {
    const answer = await call(page, method, path, data);
    expect(answer.status(), `${method} ${path}: ${await answer.text()}`).toBe(status);
    return answer.json();
  };
  const uuid = () => crypto.randomUUID();
  const { hut } = await must("POST", "/groups/store", { hut: { title: WORD, content: TEXT } });
  const { challenge } = await must("POST", "/challenges", {
    challenge: { title: long(180), content: TEXT, hut_id: hut.id },
  });
  const goal = () => ({
    title: long(180),
    content: TEXT,
    action: long(40),
    unit: long(40),
    amount: 1e9,
    is_list: 1,
    link: `https://example.com/${WORD}`,
    tags: [long(40)],
    items: [{ uuid: uuid(), title: long(180), link: `https://example.com/${WORD}` }],
    timers: [{ uuid: uuid(), title: WORD, is_interval: 1, timers: [{ title: WORD, duration: 60 }] }],
    quick_log_buttons: [1, 2].map(() => ({ uuid: uuid(), title: WORD, action: long(40), amount: 1e9 })),
  });
  const { challenge_event: session } = await must("POST", "/challenge-events", {
    challenge: {
      title: long(180),
      content: TEXT,
      challenge_id: challenge.id,
      is_manually_started: 1,
      duration: 3600,
      parts: [
        {
          uuid: uuid(),
          auto_start: 0,
          parts: [0, 1].map((i) => ({
            uuid: uuid(),
            title: long(180),
            content: TEXT,
            duration: 600,
            edit_content: i,
            per_participant: i,
          })),
        },
      ],
      tasks: [goal()],
    },
  });
  const own = (await must("POST", "/api/goals/store", { challenge: { tasks: [goal()] } })).goal;
  const books = (await (await page.request.get("/api/books")).json()).serverData.books;
  const passage = books[0].first_snippet_id;
  const tasks = (await (await page.request.get(`/api/sessions/${session.id}`)).json()).serverData.goals;
  const log = { title: long(180), content: TEXT, amount: 1e8, action: long(40) };
  await Promise.all([
    must("POST", `/challenge-events/${session.id}/start`, {}, 200),
    must("PUT", `/challenges/${session.slug}/save-content`, { content: TEXT, prompt: long(180) }, 200),
    must("POST", `/challenge-events/${session.id}/logs`, { task_uuid: tasks[0].uuid, ...log }),
    must("POST", `/challenges/${session.slug}/posts`, { item: { title: long(180), content: TEXT } }),
    must("POST", `/challenges/${hut.slug}/posts`, { item: { title: long(180), content: TEXT } }).catch(
      () => null,
    ),
    must("POST", "/api/paraphrases", { snippet_id: passage, title: long(180), content: TEXT }),
    must("POST", "/api/notes", { title: long(180), content: TEXT, todo: long(180), done: long(180) }),
    must("POST", "/items", { itemData: { title: long(180), content: TEXT, status: 1 } }),
  ]);
  await must("POST", "/messages", {
    content: TEXT,
    messageable_type: "challenge_event",
    messageable_id: session.id,
  });
  const item = (await (await page.request.get(`/api/${username}`)).json().catch(() => null))?.serverData;
  const paths = [
    ...["/", "/events", "/activities", "/groups", `/activities?q=${WORD}`, "/no-such-page"],
    challenge.path,
    `/challenges/${challenge.slug}/update`,
    `/group/${hut.slug}`,
    ...["/sessions", "/activities", "/forum", "/update"].map((tab) =>
      tab === "/update" ? `/groups/${hut.slug}/update` : `/group/${hut.slug}${tab}`,
    ),
    ...["", "/goals", "/member-goals", "/logs", "/hut", "/chat"].map(
      (tab) => `/sessions/${session.id}${tab}`,
    ),
    `/events/${session.id}/update`,
    `/challenges/events/create?activity=${challenge.slug}`,
    ...["/my/goals", "/my/logs", "/my/notes", "/my/sessions", "/my/groups", "/me", "/account"],
    ...["", "/logs", "/notes"].map((tab) => `/my/goals/${own.id}${tab}`),
    `/me/${hut.slug}`,
    `/${username}`,
    item?.items?.[0]?.path ?? "/",
    `/books/${books[0].slug}/snippets/${passage}`,
  ];
  const found: string[] = [];
  const look = async (page: Page, path: string) => {
    const answer = await page.goto(path);
    if ((answer?.status() ?? 0) >= 400 && path !== "/no-such-page")
      found.push(`${path}: ${answer?.status()}`);
    // Words of the fallback font are wider. Collapsed text counts too.
    await page.evaluate(async () => {
      await document.fonts.ready;
      for (const fold of document.querySelectorAll("main details")) fold.setAttribute("open", "");
    });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const element of await outside(page)) found.push(`${path} at ${width}: ${element}`);
      for (const word of await brokenWords(page)) found.push(`${path} at ${width} breaks ${word}`);
    }
  };
  await Promise.all(
    [page, await writer.context.newPage(), await writer.context.newPage()].map(async (hand) => {
      for (let next = paths.shift(); next; next = paths.shift()) await look(hand, next);
    }),
  );
  expect(found.join("\n")).toBe("");
  await writer.context.close();
});
