// The library of an installation (H-01 to H-06): templates, the tour's activity and session, and a book. The site itself
// owns them, as a user that nobody can sign in as.
import { carryWithFirstWrite } from "#db/intercept.server";
import * as accounts from "#db/queries/accounts/accounts";
import * as queries from "#db/queries/library";
import { insertAct } from "#db/queries/safety/audit";
import * as tokens from "#db/queries/tokens";
import * as upkeep from "#db/queries/upkeep";
import { brokenConstraint } from "~/domain/errors";
import { TOUR_IDS } from "~/domain/library";
import { loadOnce } from "~/domain/load-once";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import { linkedParts, scheduleLength } from "~/domain/schedule/schedule";
import { seconds } from "~/domain/time";
import { WELCOME_TOKENS } from "~/domain/tokens";
import { actingUser } from "./acting-user.server";
import { createActivity } from "./activities/activities.server";
import type { App } from "./app.server";
import { storeBook } from "./items/books.server";
import { createExample } from "./sessions/create.server";

const loadTexts = loadOnce(() => import("#db/seed/library"));

/** Reserved, so nobody registers it. */
const SITE_NAME = "bothy";
/** The job's mark, which `npm run deploy` sets and the minute cron reads. */
const JOB = "library";
const WANTED = "wanted";

export type Installed = { made: number };
type RecordKind = "activity" | "session" | "book";

/**
 * Creates the records of the library that are missing. Each is created once, because the batch that creates it also
 * writes its row in `library`. A deleted record is not created again, and an edited one keeps its edits (H-05).
 */
export async function installLibrary(app: App): Promise<Installed> {
  const { BOOK, PASSAGES, createTemplates, createTourActivity, TOUR_SESSION } = await loadTexts();
  const [, , , rows, [site]] = await app.db.batch([
    queries.markDeletedRecords(app.db, "activity", app.now),
    queries.markDeletedRecords(app.db, "session", app.now),
    queries.markDeletedRecords(app.db, "book", app.now),
    queries.listInstalled(app.db),
    queries.findSiteUser(app.db, SITE_NAME),
  ]);
  const knownUuids = new Set(rows.map(({ uuid }) => uuid));
  const siteApp = { ...app, user: site ? actingUser(site) : await makeSite(app) };
  let installedCount = 0;
  const failures: unknown[] = [];
  const install = async (uuid: string, kind: RecordKind, create: (app: App) => Promise<unknown>) => {
    if (knownUuids.has(uuid)) return;
    const { db } = carryWithFirstWrite(app.db, queries.buildInstallationStatements(uuid, kind, app.now));
    try {
      await create({ ...siteApp, db });
      installedCount++;
    } catch (error) {
      // A concurrent installation may be first. Any other failure must not stop the remaining records.
      if (brokenConstraint(error) !== "library.uuid") failures.push(error);
    }
  };

  const activities = [
    ...createTemplates().map((template) => ({ ...template, isTemplate: true })),
    { ...createTourActivity(), isTemplate: false },
  ];
  for (const { uuid, parts, ...activityFields } of activities) {
    const schedule = linkedParts(parts);
    await install(uuid, "activity", (appOfSite) =>
      createActivity(appOfSite, {
        ...activityFields,
        hutId: null,
        participantLimit: null,
        isManuallyStarted: false,
        schedule,
        duration: seconds(Math.max(300, scheduleLength(schedule, 1))),
      }),
    );
  }
  await install(TOUR_SESSION.uuid, "session", async (appOfSite) => {
    const [tour] = await queries.findTourAddresses(app.db, TOUR_IDS);
    const isIdFree = (await queries.findTakenSessionId(app.db, TOUR_SESSION.id)).length === 0;
    await createExample(appOfSite, {
      title: TOUR_SESSION.title,
      activitySlug: tour?.activity ?? null,
      id: isIdFree ? TOUR_SESSION.id : null,
    });
  });
  await install(BOOK.uuid, "book", (appOfSite) =>
    storeBook(appOfSite, { title: BOOK.title, about: BOOK.about, passages: PASSAGES }),
  );
  if (failures.length > 0) throw failures[0];
  return { made: installedCount };
}

/**
 * The site's account, with the tokens that its example costs; its password is no hash, and its address has no mailbox.
 */
async function makeSite(app: App) {
  const { db, now } = app;
  const email = `${crypto.randomUUID()}@${SITE_NAME}.invalid`;
  try {
    await db.batch([
      accounts.insertUser(db, {
        email,
        username: SITE_NAME,
        firstName: app.settings.appName,
        passwordHash: "none",
        isNew: false,
        newMessages: "",
        createdAt: now,
        updatedAt: now,
      }),
      ...accounts.insertFirstPerson(db, email, SITE_NAME, now),
      tokens.grantLotByEmail(db, email, {
        kind: "welcome",
        granted: WELCOME_TOKENS,
        reference: accounts.welcomeReferenceOf(email),
        createdAt: now,
      }),
    ]);
  } catch (error) {
    // A concurrent installation was first.
    if (!/^(users|persons)_/.test(brokenConstraint(error) ?? "")) throw error;
  }
  const [insertedUser] = await queries.findSiteUser(db, SITE_NAME);
  if (!insertedUser) throw new Error("The site has no account.");
  return actingUser(insertedUser);
}

/** The button on /admin (H-05), for super admins. Its audit row comes first, because each thing has its own batch. */
export async function installLibraryByHand(app: App): Promise<Installed> {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user));
  await insertAct(app.db, {
    at: app.now,
    actorId: user.id,
    action: "library-installed",
    target: { kind: "site", id: 0 },
  });
  return installLibrary(app);
}

/** The minute cron's part: installs the library once after a deployment has asked for it. */
export async function installWantedLibrary(app: App): Promise<object> {
  const [mark] = await upkeep.findMark(app.db, JOB);
  if (mark?.mark !== WANTED) return {};
  const result = await installLibrary(app);
  await upkeep.setMark(app.db, JOB, "installed");
  return result;
}
