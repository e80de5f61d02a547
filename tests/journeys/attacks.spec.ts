// Attack texts in every field that others see, in a real browser: no script runs, even without the
// Content-Security-Policy, and the policy reports no violation. As a control, the same texts run when they bypass the
// sanitiser.
import type { Page } from "@playwright/test";
import { ATTACKS } from "../support/attacks";
import { call, expect, newPerson, test } from "./fixtures";

/** All tags, all malformed texts, and every seventh of the many links. */
const LINKS = ATTACKS.filter((text) => /^!?\[x\]|^<[^>]*boom/.test(text));
const PAYLOADS = ATTACKS.filter((text) => !LINKS.includes(text) || LINKS.indexOf(text) % 7 === 0);
const PLAIN = PAYLOADS.map((text) => text.replace(/\s+/g, " ").trim().slice(0, 180)).filter(Boolean);
const pick = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
/** Each text is in a list of its own, so that no text hides another. */
const chunk = (index: number, size = 9): string =>
  Array.from({ length: size }, (_, i) => `- ${pick(PAYLOADS, index * size + i).replace(/\n/g, "\n  ")}`).join(
    "\n\n",
  );

/** Addresses that would run as links. */
const ADDRESSES = [
  "javascript:boom()",
  "JaVaScRiPt:boom()",
  " javascript:boom()",
  "java\tscript:boom()",
  "\u0001javascript:boom()",
  "data:text/html,<script>opener.boom()</script>",
  "vbscript:boom()",
  'https://example.com/"onmouseover="boom()',
];

type Found = { ran: string[]; reported: string[] };
type Watched = { boom?: () => void; attacks?: Found };

/** Installed before the page loads: the function `boom`, and a listener for violations. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const here = window as Watched;
    const found: Found = { ran: [], reported: [] };
    here.attacks = found;
    here.boom = () => found.ran.push(location.pathname);
    document.addEventListener("securitypolicyviolation", (event) =>
      found.reported.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  // No request leaves this machine.
  await page.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.abort(),
  );
  page.on("dialog", (dialog) => void dialog.dismiss());
}

/** Points at, focuses and presses everything; external links are not followed. */
async function touch(page: Page): Promise<Found> {
  await page.evaluate(async () => {
    document.addEventListener(
      "click",
      (event) => {
        const link = (event.target as Element).closest("a");
        if (!link || /^(?:https?|mailto):$/.test(link.protocol)) event.preventDefault();
      },
      { capture: true },
    );
    for (const element of document.querySelectorAll<HTMLElement>("main *")) {
      for (const name of ["mouseover", "mouseenter", "pointerover"])
        element.dispatchEvent(new MouseEvent(name, { bubbles: true }));
      if (element.matches(".prose a, .prose input, .prose [tabindex]")) element.focus();
      if (element.matches(".prose a")) element.click();
    }
    // An idle browser has run the work that the presses began.
    await new Promise((done) => requestIdleCallback(done, { timeout: 5000 }));
  });
  return page.evaluate(() => (window as Watched).attacks ?? { ran: ["nothing was watched"], reported: [] });
}

/** In batches, as fast as the server accepts them. */
async function inGroups<T>(
  list: readonly T[],
  work: (one: T, index: number) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < list.length; i += 10)
    await Promise.all(list.slice(i, i + 10).map((one, k) => work(one, i + k)));
}

test("D-01 no user text runs a script on another user's screen, in any field that others see", async ({
  browser,
}) => {
  expect(PAYLOADS.length).toBeGreaterThan(60);
  const writer = await newPerson(browser, "mallory");
  const { page } = writer;
  const must = async (method: string, path: string, data: unknown, status = 201) => {
    const answer = await call(page, method, path, data);
    expect(answer.status(), `${method} ${path}: ${await answer.text()}`).toBe(status);
    return answer.json();
  };

  const { hut } = await must("POST", "/groups/store", {
    hut: { title: pick(PLAIN, 1).slice(0, 100), content: chunk(0) },
  });
  const { challenge } = await must("POST", "/challenges", {
    challenge: { title: pick(PLAIN, 2), content: chunk(1), hut_id: hut.id },
  });
  const goal = (index: number) => ({
    title: pick(PLAIN, index),
    content: chunk(index),
    action: pick(PLAIN, index).slice(0, 30),
    is_list: 1,
    items: [{ uuid: crypto.randomUUID(), title: pick(PLAIN, index + 1), link: "" }],
  });
  const { challenge_event: session } = await must("POST", "/challenge-events", {
    challenge: {
      title: pick(PLAIN, 3),
      content: chunk(2),
      challenge_id: challenge.id,
      is_manually_started: 1,
      duration: 3600,
      parts: [
        {
          uuid: crypto.randomUUID(),
          auto_start: 0,
          parts: [0, 1, 2].map((i) => ({
            uuid: crypto.randomUUID(),
            title: pick(PLAIN, 5 + i),
            content: chunk(3 + i),
            duration: 600,
            edit_content: 1,
          })),
        },
      ],
      tasks: [goal(6), goal(7)],
    },
  });
  await must(
    "PUT",
    `/challenges/${session.slug}/save-content`,
    { content: chunk(8), prompt: pick(PLAIN, 9) },
    200,
  );
  await must("POST", `/challenge-events/${session.id}/start`, {}, 200);
  const tasks = (await (await page.request.get(`/api/sessions/${session.id}`)).json()).serverData.goals;
  const own = (await must("POST", "/api/goals/store", { challenge: { tasks: [goal(4)] } })).goal;

  // Addresses in goals, goal items and items: refused, or linked as they are.
  const offer = async (path: string, data: unknown) => {
    const answer = await call(page, "POST", path, data);
    expect([201, 422], `${path}: ${await answer.text()}`).toContain(answer.status());
  };
  await inGroups(ADDRESSES, async (link, i) => {
    const items = [{ uuid: crypto.randomUUID(), title: `Point ${i}`, link }];
    await offer("/api/goals/store", { challenge: { tasks: [{ ...goal(i), link }] } });
    await offer("/api/goals/store", { challenge: { tasks: [{ ...goal(i), items }] } });
    await offer("/items", { itemData: { title: `Link ${i}`, content: "x", url: link, status: 1 } });
    await offer("/challenge-events", {
      challenge: { title: `Gift ${i}`, duration: 60, donation_link: link },
    });
  });
  await must(
    "PATCH",
    "/account/user/profile",
    {
      userData: {
        email: `${writer.username}@example.com`,
        first_name: pick(PLAIN, 5),
        last_name: pick(PLAIN, 6),
      },
    },
    200,
  );

  const books = (await (await page.request.get("/api/books")).json()).serverData.books;
  const passage = books[0].first_snippet_id;
  const thread = (
    await must("POST", `/challenges/${session.slug}/posts`, { item: { title: "x", content: "x" } })
  ).post;
  await inGroups(PAYLOADS, async (content, i) => {
    const title = pick(PLAIN, i);
    if (i % 2 === 0) {
      const parent = i % 4 === 0 ? thread.id : null;
      await must("POST", `/challenges/${session.slug}/posts`, {
        item: { title, content, parent_id: parent },
      });
      await must("POST", `/challenge-events/${session.id}/logs`, {
        task_uuid: tasks[i % tasks.length]?.uuid,
        title,
        content,
        amount: 1,
      });
    } else {
      await must("POST", "/api/paraphrases", { snippet_id: passage, title, content });
      await must("POST", "/api/notes", { title, content, todo: title, done: title });
    }
    await must("POST", "/items", { itemData: { title, content, status: 1 } });
    if (i % 3 === 0)
      await must("POST", "/messages", {
        content,
        messageable_type: "challenge_event",
        messageable_id: session.id,
      });
  });

  const items = `/${writer.username}`;
  const shared = [
    "/",
    "/events",
    "/activities",
    "/groups",
    challenge.path,
    `/group/${hut.slug}`,
    ...["", "/goals", "/member-goals", "/logs", "/logs?page=2", "/hut", "/hut?page=2", "/chat"].map(
      (tab) => `/sessions/${session.id}${tab}`,
    ),
    ...Array.from({ length: Math.ceil(PAYLOADS.length / 12) }, (_, i) => `${items}?page=${i + 1}`),
    `/books/${books[0].slug}/snippets/${passage}`,
  ];
  const ownPages = [
    "/my/goals",
    "/my/logs",
    "/my/notes",
    `/my/goals/${own.id}`,
    "/me",
    "/my/sessions",
    "/my/groups",
    "/account",
  ];

  const look = async (view: Page, paths: readonly string[]): Promise<number> => {
    let texts = 0;
    for (const path of paths) {
      // Until each picture of the page has loaded or failed, which runs its handlers.
      const answer = await view.goto(path);
      expect(answer?.status(), path).toBe(200);
      texts += await view.locator(".prose").count();
      const addresses = await view
        .locator("a[href]")
        .evaluateAll((links) =>
          links
            .map((link) => (link as HTMLAnchorElement).protocol)
            .filter((kind) => !/^(https?|mailto):$/.test(kind)),
        );
      expect(addresses, path).toEqual([]);
      expect(await touch(view), path).toEqual({ ran: [], reported: [] });
    }
    return texts;
  };
  const open = async (bypassCSP: boolean, from?: typeof writer): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: test.info().project.use.baseURL ?? "",
      bypassCSP,
      ...(from ? { storageState: await from.context.storageState() } : {}),
    });
    const view = await context.newPage();
    await watch(view);
    return view;
  };
  const [bare, guarded] = await Promise.all([open(true), open(false)]);
  const [texts] = await Promise.all([look(bare, shared), look(guarded, shared)]);
  // The texts were on the page.
  expect(texts).toBeGreaterThan(60);
  const [bareOwn, guardedOwn] = await Promise.all([open(true, writer), open(false, writer)]);
  await Promise.all([look(bareOwn, ownPages), look(guardedOwn, ownPages)]);

  // The control: the same texts past the sanitiser run, and the policy reports them.
  const smuggle = (view: Page) =>
    view.evaluate((payloads) => {
      for (const payload of payloads) {
        const place = document.createElement("div");
        place.innerHTML = payload;
        document.body.appendChild(place);
      }
    }, PAYLOADS);
  const attacksOn = (view: Page) => view.evaluate(() => (window as Watched).attacks);
  await smuggle(bare);
  await expect.poll(async () => (await attacksOn(bare))?.ran.length).toBeGreaterThan(5);
  await smuggle(guarded);
  await expect.poll(async () => (await attacksOn(guarded))?.reported.length).toBeGreaterThan(5);
  expect((await attacksOn(guarded))?.ran).toEqual([]);
});
