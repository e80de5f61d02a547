// The spine of notices in tests: the events and deliveries of the database, and their consumer with recording channels.
import { schema } from "#db/connect.server";
import * as queries from "#db/queries/notices/deliveries";
import * as events from "#db/queries/notices/events";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { deliver } from "~/use-cases/deliveries.server";
import { fanOut } from "~/use-cases/notices/events.server";
import type { Email } from "~/use-cases/ports.server";
import { cleared } from "./cleared";
import { db, testApp } from "./factories";

export const eventRows = () => db.select().from(schema.events);
export const noticeRows = () => db.select().from(schema.notices);
export const deliveryRows = () => db.select().from(schema.deliveries);

/** Removes the events, notices and deliveries of earlier tests. */
export async function emptySpine(): Promise<void> {
  await db.batch([
    db.delete(schema.events),
    db.delete(schema.notices),
    db.delete(schema.deliveries),
    db.delete(schema.noticeSettings),
    db.delete(schema.cronMarks),
    db.update(schema.users).set({ unreadNotices: 0, digest: "off", quietFrom: null, quietTo: null }),
  ]);
  await cleared();
}

/** An App whose mail is recorded and whose jobs run only when a test asks. */
export async function spineApp(now?: Instant): Promise<{ app: App; mails: Email[] }> {
  const mails: Email[] = [];
  const app = await testApp(now === undefined ? {} : { now });
  app.jobs = { wake: async () => {} };
  app.mail = { send: async (email) => void mails.push(email) };
  return { app, mails };
}

/** Serves every event and sends everything that is due. */
export async function drain(app: App): Promise<{ sent: number }> {
  for (const { id } of await events.listEvents(app.db, { job: "fan-out", tries: 5 }, 1000))
    await fanOut(app, id);
  const due = await queries.listDue(app.db, app.now, 10_000);
  return deliver(
    app,
    due.map(({ key }) => key),
  );
}
