// Routes that only a local run has, such as the mailbox (P-45) and the demo data. A deployed worker answers 404.
import { desc } from "drizzle-orm";
import { Hono } from "hono";
import { schema } from "#db/connect.server";
import { checkLogin } from "#db/queries/accounts/logins";
import { listPushBox } from "#db/queries/notices/push";
import { AppError } from "~/domain/errors";
import { loadOnce } from "~/domain/load-once";
import { HOUR, instant } from "~/domain/time";
import { createApp } from "../create-app";
import { type HonoEnv, jsonError } from "../serve";

export const localRoutes = new Hono<HonoEnv>();

localRoutes.use("/local/*", async (c, next) => {
  if (!c.get("app").settings.isLocalRun) return jsonError(c, new AppError("NOT_FOUND"));
  await next();
});

localRoutes.get("/local/mailbox.json", async (c) => {
  const mails = await c
    .get("app")
    .db.select()
    .from(schema.mailbox)
    .orderBy(desc(schema.mailbox.id))
    .limit(50);
  return c.json({ mails, pushes: await listPushBox(c.get("app").db) });
});

/** Makes the last check of the login an hour old, so that a local run shows the dialog that asks for a new one. */
localRoutes.post("/local/age-login", async (c) => {
  const { db, user, now } = c.get("app");
  if (user) await checkLogin(db, user.loginHash, instant(now - HOUR));
  return c.body(null, 204);
});

const loadDemo = loadOnce(() => import("#db/seed/demo"));

const loadLibrary = loadOnce(() => import("~/use-cases/library.server"));

/** Installs the library. Idempotent (H-05). */
localRoutes.post("/local/library", async (c) => {
  const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const { app } = await createApp(c.env, { defer, ownOrigin: new URL(c.req.url).origin });
  const { installLibrary } = await loadLibrary();
  return c.json(await installLibrary(app));
});

/** Fills the demo data. Idempotent. */
localRoutes.post("/local/seed", async (c) => {
  const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const { app } = await createApp(c.env, { defer, ownOrigin: new URL(c.req.url).origin });
  const { fillDemoData } = await loadDemo();
  return c.json(await fillDemoData(app));
});
