// The pictures of shared links, over real HTTP.
import { expect, test } from "vitest";
import { emptySchedule } from "~/domain/schedule-shape";
import { seconds } from "~/domain/time";
import { createActivity } from "~/use-cases/activities.server";
import { createSession } from "~/use-cases/sessions/create.server";
import { ask } from "../tests/support/ask";
import { appOf, makeUser } from "../tests/support/factories";

async function makePages() {
  const app = await appOf(await makeUser());
  const activity = await createActivity(app, {
    title: "Walk <slowly> & far",
    content: "",
    category: null,
    difficulty: 4,
    hutId: null,
    participantLimit: null,
    isManuallyStarted: true,
    isTemplate: false,
    schedule: emptySchedule(),
    duration: seconds(600),
  });
  const open = await createSession(app, {
    title: "Ouvert à tous",
    activitySlug: activity.slug,
    isManuallyStarted: true,
  });
  return { activity, open: open.session };
}

test("a shared link has a picture: a PNG of 1200 × 630, kept for an hour, not drawn again when nothing changed", async () => {
  const { activity, open } = await makePages();
  for (const path of [`/social/activities/${activity.slug}.png`, `/social/sessions/${open.id}.png`]) {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("image/png");
    expect(answer.headers.get("Cache-Control")).toContain("max-age=3600");
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    const bytes = new DataView(await answer.arrayBuffer());
    expect(bytes.getUint32(0)).toBe(0x89504e47);
    expect([bytes.getUint32(16), bytes.getUint32(20)]).toEqual([1200, 630]);
    expect(bytes.byteLength).toBeLessThan(60_000);
    const again = await ask(path, { headers: { "If-None-Match": answer.headers.get("ETag") ?? "" } });
    expect(again.status).toBe(304);
  }
  for (const path of ["/social/sessions/999999.png", "/social/sessions/x.png", "/social/activities/none.png"])
    expect((await ask(path)).status).toBe(404);
});
