// Refusals of "Sit in", as the page shows them without scripts (H-18, H-20).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser } from "#tests/support/factories";
import { openHouse, seated, sitIn } from "#tests/support/guests";
import { leave, setSession } from "#tests/support/sessions";
import { alertsIn, post } from "#tests/support/visit";
import { GUEST_SENTENCES } from "~/domain/room/guest-names";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import { wrongCode } from "~/domain/sessions/refusals";

type Page = Awaited<ReturnType<typeof sitIn>>["answer"];
/** The values of the visible fields of "Sit in". */
async function fieldsOf(page: Page): Promise<Record<string, string>> {
  const fields = await page.allWithoutScripts('main form input[name="name"], main form input[aria-invalid]');
  return Object.fromEntries(fields.map(({ attributes: { name = "", value = "" } }) => [name, value]));
}

test("H-18 the page says that the last seat for guests has just gone, and keeps the name", async () => {
  const { id, path } = await openHouse();
  await setSession(id, { guestLimit: 1 });
  await seated(path, "Ada");
  const { answer } = await sitIn(path, "Bo");
  expect(answer.status).toBe(409);
  expect(await alertsIn(answer.html)).toEqual([GUEST_SENTENCES.noSeat]);
  expect(await fieldsOf(answer)).toEqual({ name: "Bo" });
});

test("H-18 H-20 the page says that the host has no token for a guest, and keeps the name", async () => {
  const { host, path } = await openHouse();
  await db.update(schema.tokenLots).set({ remaining: 0 }).where(eq(schema.tokenLots.userId, host.id));
  const { answer } = await sitIn(path, "Bo");
  expect(answer.status).toBe(402);
  expect(await alertsIn(answer.html)).toEqual([SESSION_SENTENCES.hostOutOfTokens]);
  expect((await answer.allWithoutScripts("main a")).map(({ text }) => text)).not.toContain("Buy tokens");
  expect(await fieldsOf(answer)).toEqual({ name: "Bo" });
});

test("H-18 the page says that the session has ended since the form was shown", async () => {
  const { host, id, path } = await openHouse();
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  const { answer } = await sitIn(path, "Bo");
  expect(answer.status).toBe(409);
  const told = (await answer.texts("main")).join();
  expect(told).toContain(
    (await callAs(await makeUser(), "POST", `/challenge-events/${id}/join`, {})).body.message,
  );
});

test("H-23 the page of people says that a guest who is renamed has left, and at its field that a name is refused", async () => {
  const { host, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  const rename = (name: string) =>
    post(host, `${path}/people`, { intent: "guest.rename", username: guest.username, name });
  const refused = await rename("");
  expect(refused.status).toBe(422);
  expect(await refused.texts("main [id$=-error]")).toHaveLength(1);
  await leave(guest, id);
  const gone = await rename("Grace");
  expect(gone.status).toBe(404);
  expect((await gone.texts("main")).join()).toContain(GUEST_SENTENCES.noGuest);
});

test("H-18 the page says at its field that the code is wrong, and keeps the code and the name", async () => {
  const { id, path } = await openHouse();
  await setSession(id, { joinCode: "ceilidh" });
  const { answer } = await sitIn(path, "Bo", { joinCode: "an old one" });
  expect(await fieldsOf(answer)).toEqual({ name: "Bo", joinCode: "an old one" });
  expect(await answer.texts("main form [id$=-error]")).toEqual([`▲${wrongCode}`]);
});
