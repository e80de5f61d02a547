// Registration, signing in and out, and the account's data (C-08 to C-11, C-14, C-15).

import { runBatch, type Statement } from "#db/connect.server";
import * as accounts from "#db/queries/accounts/accounts";
import * as confirmations from "#db/queries/accounts/confirmations";
import * as logins from "#db/queries/accounts/logins";
import { findGuestOf, keepGuest } from "#db/queries/sessions/guests";
import * as tokens from "#db/queries/tokens";
import type { Account } from "~/domain/accounts/accounts";
import * as accountRefusals from "~/domain/accounts/refusals";
import { PASSWORD_FOR_ADDRESS, WRONG_CREDENTIALS } from "~/domain/accounts/rules";
import { RESTORE_LINK_DAYS } from "~/domain/confirmation";
import type { DistanceUnit } from "~/domain/distances";
import { AppError, invalid } from "~/domain/errors";
import { isGuest } from "~/domain/guest-rights";
import { requireUser } from "~/domain/permissions";
import { WELCOME_TOKENS } from "~/domain/tokens";
import { refuseKeptName } from "~/use-cases/accounts/kept-names.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { networkOf, widerNetworkOf } from "~/use-cases/network.server";
import { emailChangedEmail } from "~/use-cases/notices/emails.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { type Attempt, clearAttempts, countAttempts, giveBackAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { accountOf, completeLogin, refuseDemoAway, type SignedIn, signIn } from "./complete-login.server";
import { newConfirmation } from "./confirmations.server";
import { requirePassword } from "./current-password.server";
import { findKnownDevice, rememberDevice } from "./devices.server";
import { asCurrentUser, endSockets, newLogin } from "./logins.server";
import { passwords } from "./password-hashes.server";
import { newRestore } from "./restore-link.server";
import { askForSecondStep, type PendingSecondStep } from "./second-step.server";
import { refuseWeakPassword } from "./weak-passwords.server";

/**
 * The narrowest limit first. Guessing strangers do not slow down a browser that has signed in to the account before.
 */
async function signInAttempts(app: App, email: string): Promise<[Attempt, ...Attempt[]]> {
  const device = await findKnownDevice(app, email);
  if (device) return [{ what: "login-device", by: device }];
  const network = networkOf(app);
  const wider = widerNetworkOf(app);
  return [
    { what: "login", by: `${email}:${network}` },
    { what: "login-network", by: network },
    ...(wider === null ? [] : [{ what: "login-network-wider", by: wider } as const]),
    { what: "login-account", by: email },
  ];
}

/** Signed in, or the second step that the account asks for. */
export type LoginResult =
  | { account: SignedIn; twoStep: null }
  | { account: null; twoStep: PendingSecondStep };

/**
 * Signs in and gives this browser a new login, unless the account asks for a second step. INVALID for a wrong pair, in the
 * same words and after the same work whether or not the email is known; RATE_LIMITED before anything is hashed.
 */
export async function login(app: App, input: { email: string; password: string }): Promise<LoginResult> {
  const email = input.email.toLowerCase();
  const attempts = await signInAttempts(app, email);
  await countAttempts(app, ...attempts);
  const [credentials] = await accounts.findCredentials(app.db, email);
  const { isRight, isOutdated } = await passwords.verify(input.password, credentials?.passwordHash ?? null);
  if (!credentials || !isRight) {
    logSecurity(app, { event: "login-refused", userId: credentials?.id ?? null });
    throw new AppError("INVALID", WRONG_CREDENTIALS);
  }
  refuseDemoAway(app, email);
  const changes = isOutdated ? { passwordHash: await passwords.hash(input.password) } : {};
  const result: LoginResult = credentials.twoStepSince
    ? { account: null, twoStep: await askForSecondStep(app, credentials, changes) }
    : { account: await completeLogin(app, { ...credentials, email }, changes), twoStep: null };
  // A right password was no guess: the owner's attempts are cleared, and this one counts nowhere.
  const [ownAttempt, ...widerAttempts] = attempts;
  app.defer(Promise.all([clearAttempts(app, ownAttempt), giveBackAttempts(app, ...widerAttempts)]));
  return result;
}

export type Registration = {
  email: string;
  username: string;
  password: string;
  firstName: string;
  lastName: string;
};

/**
 * Creates user, person, login, welcome tokens and the confirmation link in one batch; INVALID at `email` or `username`
 * when it is taken.
 */
export async function register(app: App, input: Registration): Promise<Account> {
  refuseDemoAway(app, input.email);
  await countAttempts(app, { what: "register", by: networkOf(app) });
  await refuseWeakPassword(app, input.password, input);
  await refuseKeptName(app, input.username);
  const passwordHash = await passwords.hash(input.password);
  const before = app.user;
  const login = await newLogin(app);
  const device = await rememberDevice(app, input.email, login.record.tokenHash);
  const confirmation = await newConfirmation(app, input);
  const { db, now } = app;
  const { email, username, firstName, lastName } = input;
  // H-22: a guest keeps the seat and everything of theirs.
  const guest = isGuest(before) ? before : null;
  const insertedUser = guest
    ? keepGuest(db, guest.id, { email, username, firstName, lastName, passwordHash, now })
    : [
        accounts.insertUser(db, {
          email,
          username,
          firstName,
          lastName,
          passwordHash,
          timeZone: app.timeZone,
          locale: app.locale,
          createdAt: now,
          updatedAt: now,
        }),
        ...accounts.insertFirstPerson(db, email, username, now),
      ];
  const results = await runBatch<Statement>(db, [
    ...insertedUser,
    logins.insertLoginOf(db, email, login.record),
    tokens.grantLotByEmail(db, email, {
      kind: "welcome",
      granted: WELCOME_TOKENS,
      reference: accounts.welcomeReferenceOf(email),
      createdAt: now,
    }),
    logins.deleteLogin(db, before?.loginHash ?? ""),
    logins.findCurrentUser(db, login.record.tokenHash, now),
    confirmations.insertConfirmationOf(db, confirmation.record),
    ...device.statements,
  ]).catch(async (error: unknown) => {
    // In another tab the guest has an account by now, so that this batch found nobody to give a login to.
    if (guest && (await isKept(app, guest.id)))
      throw new AppError("CONFLICT", accountRefusals.seatKeptElsewhere);
    throw error;
  });
  app.cookies.device = device.cookie;
  if (before) endSockets(app, before.id, [before]);
  const user = signIn(app, (results[insertedUser.length + 3] as FoundUser[])[0], login);
  if (guest) notifyRoom(app, guest.guestOf);
  logSecurity(app, { event: "registered", userId: user.id });
  app.defer(Promise.all([countAttempts(app, { what: "confirm-mail", by: user.id }), confirmation.send()]));
  return accountOf(user, { subscription: null, myGoals: [] });
}

type FoundUser = Awaited<ReturnType<typeof logins.findCurrentUser>>[number];
const isKept = async (app: App, userId: number): Promise<boolean> =>
  (await findGuestOf(app.db, userId))[0]?.guestOf === null;

/** Ends this browser's login; does nothing without one. */
export async function logout(app: App): Promise<void> {
  const { user } = app;
  if (user) {
    await logins.deleteLogin(app.db, user.loginHash);
    endSockets(app, user.id, [user]);
    logSecurity(app, { event: "logged-out", userId: user.id });
  }
  app.user = null;
  app.cookies.login = null;
}

export async function viewUser(app: App): Promise<Account> {
  const user = requireUser(app.user);
  const [[subscription], myGoals] = await app.db.batch([
    accounts.findOpenSubscription(app.db, user.id, app.now),
    accounts.listOpenGoals(app.db, user.id),
  ]);
  return accountOf(user, { subscription: subscription ?? null, myGoals });
}

/**
 * Missing fields stay unchanged. The username never changes here (U-12, R-18). A new email requires the current
 * password, INVALID at that field. It is unconfirmed, and the old address gets a link that restores it.
 */
export async function updateProfile(
  app: App,
  input: {
    email?: string | undefined;
    firstName?: string | undefined;
    lastName?: string | undefined;
    currentPassword?: string | undefined;
  },
): Promise<Account> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-profile", by: user.id });
  const isNewAddress = input.email !== undefined && input.email.toLowerCase() !== user.email.toLowerCase();
  const move = isNewAddress ? await moveOf(app, user, { ...input, email: input.email ?? "" }) : null;
  const { db, now } = app;
  const changes = {
    email: input.email,
    ...(move ? { emailConfirmedAt: null, mailFailures: 0, mailFailingAt: null } : {}),
    firstName: input.firstName,
    lastName: input.lastName,
  };
  const [, , [row], [subscription], myGoals] = await db.batch([
    accounts.updateProfile(db, user.id, changes, now),
    // Links sent to the old address become invalid.
    accounts.endResets(db, move ? user.id : 0, now),
    logins.findCurrentUser(db, user.loginHash, now),
    accounts.findOpenSubscription(db, user.id, now),
    accounts.listOpenGoals(db, user.id),
    ...(move?.statements ?? []),
  ]);
  if (!row) throw new AppError("UNAUTHENTICATED");
  app.user = asCurrentUser(row, user.loginHash);
  if (move) {
    logSecurity(app, { event: "address-changed", userId: user.id });
    app.defer(move.send());
  }
  return accountOf(app.user, { subscription: subscription ?? null, myGoals });
}

/** The links for the new and the old address: statements for the batch, and a function that sends them afterwards. */
async function moveOf(
  app: App,
  user: CurrentUser,
  { email, currentPassword }: { email: string; currentPassword?: string | undefined },
) {
  if (!currentPassword) throw invalid("currentPassword", PASSWORD_FOR_ADDRESS);
  const { username } = await requirePassword(app, user, currentPassword);
  await countAttempts(app, { what: "confirm-mail", by: user.id });
  const confirmation = await newConfirmation(app, { email, username });
  const restore = await newRestore(app, user.email);
  const changed = emailChangedEmail({
    to: user.email,
    appName: app.settings.appName,
    username,
    newEmail: email,
    url: restore.url,
    days: RESTORE_LINK_DAYS,
  });
  return {
    statements: [confirmation.record, restore.record].map((record) =>
      confirmations.insertConfirmation(app.db, { ...record, userId: user.id }),
    ),
    send: () => Promise.all([confirmation.send(), sendEmail(app, changed)]),
  };
}

/** Clears the flag of a message that was shown (U-58). Returns the remaining keys. */
export async function readNewMessage(app: App, input: { messageKey: string }): Promise<string[]> {
  const user = requireUser(app.user);
  if (!user.newMessages.includes(input.messageKey)) return user.newMessages;
  const [left] = await accounts.removeNewMessage(app.db, user.id, input.messageKey);
  return (left?.newMessages ?? "").split(",").filter(Boolean);
}

/** Null: the browser's locale decides (H-07). */
export async function chooseDistanceUnit(app: App, { unit }: { unit: DistanceUnit | null }): Promise<void> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-profile", by: user.id });
  await accounts.updateDistanceUnit(app.db, user.id, unit);
  app.user = { ...user, distanceUnit: unit };
}

/** Stores the browser's time zone; writes only if it changed. */
export async function rememberTimeZone(app: App, timeZone: string): Promise<void> {
  if (!app.user || app.user.timeZone === timeZone) return;
  await accounts.updateTimeZone(app.db, app.user.id, timeZone);
}
