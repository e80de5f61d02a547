// Users and Apps for workerd tests, created by the product's own use cases; time is a parameter.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { connect, schema } from "#db/connect.server";
import { grantLotByEmail } from "#db/queries/tokens";
import { createApp } from "#workers/create-app";
import { asAppError } from "~/domain/errors";
import { type Instant, instant } from "~/domain/time";
import { WELCOME_TOKENS } from "~/domain/tokens";
import { findUserByToken } from "~/use-cases/accounts/logins.server";
import type { App } from "~/use-cases/app.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";

export const db = connect(env.DB);
export const NOW = instant(Date.UTC(2026, 10, 21, 9, 30));

/** An App in which `user` acts, at `now`. */
export async function testApp(options: { loginToken?: string; now?: Instant } = {}): Promise<App> {
  const { app } = await createApp(env, {
    loginToken: options.loginToken,
    now: options.now ?? NOW,
    ownOrigin: "http://127.0.0.1:8787",
    defer: (work) => void work.catch(() => {}),
  });
  return app;
}

let count = 0;
export type TestUser = { id: number; personId: number; username: string; email: string; loginToken: string };

/** A user with a person, a login and the welcome tokens (`tokens`, in hundredths, changes the amount). */
export async function makeUser(
  over: {
    /** By default the next. */
    id?: number;
    username?: string;
    roleId?: number;
    locale?: string;
    tokens?: number;
    now?: Instant;
    isConfirmed?: boolean;
  } = {},
): Promise<TestUser> {
  const now = over.now ?? NOW;
  const username = over.username ?? `person-${++count}-${crypto.randomUUID().slice(0, 6)}`;
  const email = `${username}@example.com`;
  const [user] = await db
    .insert(schema.users)
    .values({
      ...(over.id === undefined ? {} : { id: over.id }),
      username,
      email,
      emailConfirmedAt: over.isConfirmed === false ? null : now,
      passwordHash: "none",
      roleId: over.roleId ?? 1,
      locale: over.locale ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning({ id: schema.users.id });
  if (!user) throw new Error("no user");
  const [person] = await db
    .insert(schema.persons)
    .values({ userId: user.id, username, createdAt: now })
    .returning({ id: schema.persons.id });
  if (!person) throw new Error("no person");
  const loginToken = newToken();
  await db.batch([
    setUser(user.id, { personId: person.id }),
    db.insert(schema.logins).values({
      tokenHash: await hashToken(loginToken),
      userId: user.id,
      createdAt: now,
      // Never stale, so that reads do not write it.
      lastSeenAt: instant(4e12),
      // Never too old, so that no action asks for a check.
      checkedAt: instant(4e12),
      expiresAt: instant(4e12),
    }),
    grantLotByEmail(db, email, {
      kind: "welcome",
      granted: over.tokens ?? WELCOME_TOKENS,
      reference: `welcome:${user.id}`,
      createdAt: now,
    }),
  ]);
  return { id: user.id, personId: person.id, username, email, loginToken };
}

type Users<N extends number, U extends TestUser[] = []> = number extends N
  ? TestUser[]
  : U["length"] extends N
    ? U
    : Users<N, [...U, TestUser]>;
/** So many users, with ascending ids; a literal count gives a tuple. */
export async function makeUsers<N extends number>(
  count: N,
  over: Parameters<typeof makeUser>[0] = {},
): Promise<Users<N>> {
  const users: TestUser[] = [];
  while (users.length < count) users.push(await makeUser(over));
  return users as Users<N>;
}

export const userNow = async (id: number) =>
  (await db.select().from(schema.users).where(eq(schema.users.id, id)))[0];
export const setUser = (id: number, set: Partial<typeof schema.users.$inferInsert>) =>
  db.update(schema.users).set(set).where(eq(schema.users.id, id));

/** An App in which `user` acts. */
export const appOf = (user: TestUser, now?: Instant): Promise<App> =>
  testApp({ loginToken: user.loginToken, ...(now ? { now } : {}) });

/** The signed-in user again, e.g. to read the balance after spending. */
export const reload = (user: TestUser, now: Instant = NOW) =>
  findUserByToken(db, user.loginToken, now, () => {});

/** A second login of the user, or the main login again after it ended. */
export async function newLogin(
  user: TestUser,
  loginToken = newToken(),
  checkedAt: Instant = instant(4e12),
): Promise<{ loginToken: string; login: string }> {
  const login = await hashToken(loginToken);
  const dates = { createdAt: NOW, lastSeenAt: instant(4e12), checkedAt, expiresAt: instant(4e12) };
  await db
    .insert(schema.logins)
    .values({ tokenHash: login, userId: user.id, ...dates })
    .onConflictDoNothing();
  return { loginToken, login };
}
/** The user at another browser. */
export const signInAgain = async (user: TestUser): Promise<TestUser> => ({
  ...user,
  loginToken: (await newLogin(user)).loginToken,
});

/** The code with which a use case refuses, or "ok". */
export const errorCodeOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error) => asAppError(error).code,
  );
/** The code and sentence with which a use case refuses, or "accepted". */
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (error) => `${error.code}: ${error.message}`,
  );
