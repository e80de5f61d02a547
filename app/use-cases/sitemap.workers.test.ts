import { expect, test } from "vitest";
import { appOf, makeUser, NOW } from "#tests/support/factories";
import { setSession } from "#tests/support/sessions";
import { seconds } from "~/domain/time";
import { createActivity } from "~/use-cases/activities/activities.server";
import { createHut } from "~/use-cases/huts/huts.server";
import { createSession } from "./sessions/create.server";
import { listPublicPages, viewRobots } from "./sitemap.server";

test("the sitemap contains public pages, without templates and ended sessions", async () => {
  const app = await appOf(await makeUser({ tokens: 5000 }), NOW);
  const hut = await createHut(app, { title: "Under the crag", content: "" });
  const about = {
    content: "",
    category: null,
    difficulty: 4,
    hutId: null,
    participantLimit: null,
    isManuallyStarted: false,
    duration: seconds(600),
  };
  const shown = await createActivity(app, { ...about, title: "Walk out", isTemplate: false });
  const pattern = await createActivity(app, { ...about, title: "A pattern", isTemplate: true });
  const { session: open } = await createSession(app, {
    title: "Tonight",
    duration: seconds(600),
    isManuallyStarted: true,
  });
  const { session: over } = await createSession(app, {
    title: "Was",
    duration: seconds(600),
    isManuallyStarted: true,
  });
  await setSession(over.id, { closedAt: NOW });

  const urls = (await listPublicPages(app)).map(({ url }) => url.slice(app.settings.origin.length));
  expect(urls).toEqual(
    expect.arrayContaining([
      "/",
      "/about",
      `/group/${hut.slug}`,
      `/activities/${shown.slug}`,
      `/sessions/${open.id}`,
    ]),
  );
  expect(urls).not.toContain(`/activities/${pattern.slug}`);
  expect(urls).not.toContain(`/sessions/${over.id}`);
});

test("robots.txt names the sitemap and excludes personal pages", async () => {
  const app = await appOf(await makeUser(), NOW);
  const text = await viewRobots(app);
  expect(text).toContain(`Sitemap: ${app.settings.origin}/sitemap.xml`);
  const rules = [...text.matchAll(/^(Allow|Disallow): (.*)$/gm)].map(([, kind, pattern = ""]) => {
    const escaped = pattern.replace(/[.?]/g, "\\$&").replaceAll("*", ".*");
    return { isOpen: kind === "Allow", length: pattern.length, matching: new RegExp(`^${escaped}`) };
  });
  // The longest rule decides (RFC 9309).
  const isOpen = (path: string) =>
    rules.filter(({ matching }) => matching.test(path)).sort((a, b) => b.length - a.length)[0]?.isOpen ??
    true;
  const open = ["/", "/meadow", "/accountant", "/mytilene", "/my/goals", "/api/docs", "/api/docs/sessions"];
  expect(open.filter((path) => !isOpen(path))).toEqual([]);
  const closed = ["/me", "/me?x=1", "/me/x", "/account", "/account/export", "/my/logs", "/my/goals/1"];
  closed.push("/api/ann", "/auth/login", "/local/mailbox", "/?auth=login", "/events?q=run");
  expect(closed.filter(isOpen)).toEqual([]);
});
