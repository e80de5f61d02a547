// Registration, signing in and out, and the data of an account (C-08 to C-11, C-14, C-15).
import { runBatch, type Statement } from "#db/connect.server";
import * as accounts from "#db/queries/accounts/accounts";
import * as confirmations from "#db/queries/accounts/confirmations";
import * as logins from "#db/queries/accounts/logins";
import { findGuestOf, turnGuestIntoAccount } from "#db/queries/sessions/guests";
import * as tokens from "#db/queries/tokens";
import type { Account } from "~/domain/accounts/accounts";
import * as accountRefusals from "~/domain/accounts/refusals";
import { WRONG_CREDENTIALS } from "~/domain/accounts/rules";
import { AppError } from "~/domain/errors";
import { isGuest } from "~/domain/guest-rights";
import { requireUser } from "~/domain/permissions";
import { WELCOME_TOKENS } from "~/domain/tokens";
import { refuseKeptName } from "~/use-cases/accounts/kept-names.server";
import type { App } from "~/use-cases/app.server";
import { giveUpGuestSeat, rememberGuest, rememberKeptOutBrowser } from "~/use-cases/guest-logins.server";
import { networkOf, widerNetworkOf } from "~/use-cases/network.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { type Attempt, clearAttempts, countAttempts, giveBackAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { accountOf, completeLogin, refuseDemoAway, type SignedIn, signIn } from "./complete-login.server";
import { newConfirmation } from "./confirmations.server";
import { findKnownDevice, rememberDevice } from "./devices.server";
import { deleteBrowserLogin, endSockets, newLogin } from "./logins.server";
import { passwords } from "./password-hashes.server";
import { askForSecondStep, type PendingSecondStep } from "./second-step.server";
import { refuseWeakPassword } from "./weak-passwords.server";

/**
 * The counters of an attempt to sign in, the narrowest first. A browser that has signed in to the account before has its
 * own counter, so strangers who guess cannot lock it out.
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

/** Either the account, or the second step that its sign-in needs. */
export type LoginResult =
  | { account: SignedIn; twoStep: null }
  | { account: null; twoStep: PendingSecondStep };

/**
 * Signs in and gives this browser a new login, unless the account asks for a second step. INVALID for a wrong pair, in
 * the same words and after the same work whether or not the email is known; RATE_LIMITED before anything is hashed.
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
  // A right password is no guess: it clears the narrowest counter and is taken back from the wider ones.
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
  const previousUser = app.user;
  const createdLogin = await newLogin(app);
  const device = await rememberDevice(app, input.email, createdLogin.record.tokenHash);
  const confirmation = await newConfirmation(app, input);
  const { db, now } = app;
  const { email, username, firstName, lastName } = input;
  // H-22: a guest who registers keeps the seat, the chat lines and the logs.
  const guest = isGuest(previousUser) ? previousUser : null;
  const userStatements = guest
    ? turnGuestIntoAccount(db, guest.id, { email, username, firstName, lastName, passwordHash, now })
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
  const statementsBeforeUser = [
    deleteBrowserLogin(db, previousUser),
    ...userStatements,
    logins.insertLoginOf(db, email, createdLogin.record),
    tokens.grantLotByEmail(db, email, {
      kind: "welcome",
      granted: WELCOME_TOKENS,
      reference: accounts.welcomeReferenceOf(email),
      createdAt: now,
    }),
  ];
  const results = await runBatch<Statement>(db, [
    ...statementsBeforeUser,
    logins.findCurrentUser(db, createdLogin.record.tokenHash, now),
    confirmations.insertConfirmationOf(db, confirmation.record),
    ...device.statements,
  ]).catch(async (error: unknown) => {
    // The guest registered in another tab meanwhile, so this batch found no guest to give the login to.
    if (guest && (await hasRegistered(app, guest.id)))
      throw new AppError("CONFLICT", accountRefusals.seatKeptElsewhere);
    throw error;
  });
  app.cookies.device = device.cookie;
  if (previousUser) endSockets(app, previousUser.id, results[0] as EndedLogin[]);
  const user = signIn(app, (results[statementsBeforeUser.length] as FoundUser[])[0], createdLogin);
  if (guest) notifyRoom(app, guest.guestOf);
  logSecurity(app, { event: "registered", userId: user.id });
  app.defer(Promise.all([countAttempts(app, { what: "confirm-mail", by: user.id }), confirmation.send()]));
  return accountOf(user, { subscription: null, myGoals: [] });
}

type FoundUser = Awaited<ReturnType<typeof logins.findCurrentUser>>[number];
type EndedLogin = Awaited<ReturnType<typeof deleteBrowserLogin>>[number];
const hasRegistered = async (app: App, userId: number): Promise<boolean> =>
  (await findGuestOf(app.db, userId))[0]?.guestOf === null;

/** Ends this browser's login; does nothing without one. */
export async function logout(app: App): Promise<void> {
  const { user } = app;
  if (user) {
    const leftSession = isGuest(user) ? await giveUpGuestSeat(app, user) : null;
    if (isGuest(user)) await rememberGuest(app, user);
    endSockets(app, user.id, await deleteBrowserLogin(app.db, user), leftSession);
    logSecurity(app, { event: "logged-out", userId: user.id });
  } else await rememberKeptOutBrowser(app);
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

/** Clears the flag of a message that was shown (U-58). Returns the remaining keys. */
export async function readNewMessage(app: App, input: { messageKey: string }): Promise<string[]> {
  const user = requireUser(app.user);
  if (!user.newMessages.includes(input.messageKey)) return user.newMessages;
  const [row] = await accounts.removeNewMessage(app.db, user.id, input.messageKey);
  return (row?.newMessages ?? "").split(",").filter(Boolean);
}
