// Passkeys: adding and removing them, signing in with a passkey alone, and renewing a check with one.

import type { AuthenticatorTransport } from "@simplewebauthn/server";
import * as accounts from "#db/queries/accounts/accounts";
import { recordIfChanged, recordPasskeyRemoval } from "#db/queries/accounts/change-emails";
import * as queries from "#db/queries/accounts/two-step";
import {
  isHostName,
  MAX_PASSKEYS,
  PASSKEY_KNOWN,
  PASSKEY_REFUSED,
  PASSKEYS_NEED_A_NAME,
  TOO_MANY_PASSKEYS,
  TWO_STEP_MINUTES,
} from "~/domain/accounts/sign-in";
import { AppError } from "~/domain/errors";
import { isolateRtl } from "~/domain/isolated";
import { loadOnce } from "~/domain/load-once";
import { requireUser } from "~/domain/permissions";
import { type Instant, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { countAttempts } from "~/use-cases/rate-limits.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { hashToken } from "~/use-cases/tokens.server";
import { accountChangeCause } from "./change-emails.server";
import { completeLogin, type SignedIn } from "./complete-login.server";

/** Loaded on first use: only passkeys need the library, and the first answer of a process would wait for it (P4). */
const loadWebAuthn = loadOnce(() => import("@simplewebauthn/server"));

export type PasskeyListed = { id: string; name: string; createdAt: Instant; lastUsedAt: Instant | null };

type PasskeyRow = PasskeyListed & { publicKey: string; counter: number };
export const listedPasskeys = (rows: readonly PasskeyRow[]): PasskeyListed[] =>
  rows.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }));

/** The host of passkeys; null on a bare IP address, which browsers refuse. */
export function passkeyHost(app: App): { id: string; origin: string } | null {
  const { hostname, origin } = new URL(app.settings.origin);
  return isHostName(hostname) ? { id: hostname, origin } : null;
}

function requireHost(app: App) {
  const host = passkeyHost(app);
  if (!host) throw new AppError("CONFLICT", PASSKEYS_NEED_A_NAME);
  return host;
}

type ChallengeKind = "passkey-login" | "passkey-check" | "passkey-add";

/** Stores a challenge that works once within five minutes, for this kind of ceremony and this account only. */
async function storeChallenge(app: App, challenge: string, kind: ChallengeKind, userId: number | null) {
  await queries.insertChallenge(app.db, {
    tokenHash: await hashToken(challenge),
    kind,
    userId,
    expiresAt: instant(app.now + TWO_STEP_MINUTES * MINUTE),
  });
}

/** The library's check of a challenge. It deletes the challenge, whatever the result. */
const challengeTaker =
  (app: App, kind: ChallengeKind, userId: number | null) => async (challenge: string) => {
    const [takenChallenge] = await queries.takeChallenge(app.db, await hashToken(challenge), kind, app.now);
    return takenChallenge !== undefined && takenChallenge.userId === userId;
  };

const countPasskey = (app: App) => countAttempts(app, { what: "passkey", by: networkOf(app) });

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");

/** A browser's answer to a WebAuthn ceremony, whose fields only the library reads. */
export type PasskeyResponse = { id: string; response: Record<string, unknown> } & Record<string, unknown>;

function refuse(app: App, userId: number | null): never {
  logSecurity(app, { event: "passkey-refused", userId });
  throw new AppError("INVALID", PASSKEY_REFUSED);
}

// ---- adding and removing

export async function passkeyOptions(app: App) {
  const user = requireUser(app.user);
  const host = requireHost(app);
  await countPasskey(app);
  const ownPasskeys = await queries.listPasskeys(app.db, user.id);
  if (ownPasskeys.length >= MAX_PASSKEYS) throw new AppError("CONFLICT", TOO_MANY_PASSKEYS);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: app.settings.appName,
    rpID: host.id,
    userName: user.email,
    userDisplayName: user.username,
    // A hash, so that a reader of the authenticator learns nothing about the account.
    userID: bytesOf(btoa(await hashToken(`passkeys of ${user.id}`))),
    attestationType: "none",
    excludeCredentials: ownPasskeys.map(({ id, transports }) => ({
      id,
      transports: transportsOf(transports),
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await storeChallenge(app, options.challenge, "passkey-add", user.id);
  return options;
}

const transportsOf = (text: string) => text.split(",").filter(Boolean) as AuthenticatorTransport[];

/** CONFLICT when the account has ten, INVALID for a response that does not fit its challenge. */
export async function addPasskey(
  app: App,
  input: { name: string; response: PasskeyResponse },
): Promise<PasskeyListed> {
  const user = requireUser(app.user);
  const host = requireHost(app);
  await countPasskey(app);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verification = await verifyRegistrationResponse({
    response: input.response as never,
    expectedChallenge: challengeTaker(app, "passkey-add", user.id),
    expectedOrigin: host.origin,
    expectedRPID: host.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verification?.verified) refuse(app, user.id);
  const { credential } = verification.registrationInfo;
  const passkey = {
    id: credential.id,
    userId: user.id,
    name: input.name,
    publicKey: textOf(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).join(",").slice(0, 200),
    createdAt: app.now,
  };
  const cause = accountChangeCause(
    app,
    "sign-in",
    `The passkey “${isolateRtl(input.name)}” was added to your account just now.`,
  );
  const [[addedPasskey]] = await app.db.batch([
    queries.insertPasskey(app.db, passkey, MAX_PASSKEYS),
    recordIfChanged(app.db, cause, user.id),
  ]);
  if (!addedPasskey) {
    const [existingPasskey] = await queries.findPasskey(app.db, passkey.id);
    throw new AppError("CONFLICT", existingPasskey ? PASSKEY_KNOWN : TOO_MANY_PASSKEYS);
  }
  logSecurity(app, { event: "passkey-added", userId: user.id });
  wakeEvents(app, [cause]);
  const [listedPasskey] = listedPasskeys([addedPasskey]);
  return listedPasskey as PasskeyListed;
}

export async function renamePasskey(app: App, input: { passkey: string; name: string }): Promise<void> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-two-step", by: user.id });
  const [renamed] = await queries.renamePasskey(app.db, user.id, input.passkey, input.name);
  if (!renamed) throw new AppError("NOT_FOUND");
}

export async function removePasskey(app: App, input: { passkey: string }): Promise<void> {
  const user = requireUser(app.user);
  await countAttempts(app, { what: "change-two-step", by: user.id });
  const cause = accountChangeCause(app, "sign-in");
  const [, [removed]] = await app.db.batch([
    recordPasskeyRemoval(app.db, cause, user.id, input.passkey),
    queries.deletePasskey(app.db, user.id, input.passkey),
  ]);
  if (!removed) throw new AppError("NOT_FOUND");
  logSecurity(app, { event: "passkey-removed", userId: user.id });
  wakeEvents(app, [cause]);
}

// ---- signing in and renewing a check

async function newCeremony(app: App, kind: ChallengeKind, userId: number | null) {
  const host = requireHost(app);
  await countPasskey(app);
  const ownPasskeys = userId === null ? [] : await queries.listPasskeys(app.db, userId);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: host.id,
    userVerification: "required",
    allowCredentials: ownPasskeys.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
  });
  await storeChallenge(app, options.challenge, kind, userId);
  return options;
}

export const passkeyLoginOptions = (app: App) => newCeremony(app, "passkey-login", null);
export const passkeyCheckOptions = (app: App) => newCeremony(app, "passkey-check", requireUser(app.user).id);

/**
 * Returns the user id of the passkey that signed. INVALID for a used challenge, a wrong signature or a counter that did
 * not grow.
 */
async function verifySignature(
  app: App,
  response: PasskeyResponse,
  kind: ChallengeKind,
  userId: number | null,
): Promise<number> {
  const host = requireHost(app);
  await countPasskey(app);
  const [passkey] = await queries.findPasskey(app.db, response.id);
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  // The challenge is deleted even if no such passkey exists.
  const credential = passkey ?? { id: response.id, publicKey: "", counter: 0 };
  const verification = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: challengeTaker(app, kind, userId),
    expectedOrigin: host.origin,
    expectedRPID: host.id,
    requireUserVerification: true,
    credential: { ...credential, publicKey: bytesOf(credential.publicKey) },
  }).catch(() => null);
  if (!passkey || !verification?.verified || (userId !== null && passkey.userId !== userId))
    refuse(app, passkey?.userId ?? userId);
  const { newCounter } = verification.authenticationInfo;
  const [usedPasskey] = await queries.usePasskey(app.db, passkey.id, newCounter, app.now);
  if (!usedPasskey) refuse(app, passkey.userId);
  return passkey.userId;
}

/** A passkey is possession plus unlocking, so it counts as both steps. */
export async function loginWithPasskey(app: App, input: { response: PasskeyResponse }): Promise<SignedIn> {
  const userId = await verifySignature(app, input.response, "passkey-login", null);
  const [account] = await accounts.findAuthenticatedAccount(app.db, userId);
  if (!account) return refuse(app, userId);
  return completeLogin(app, account);
}

export const checkPasskey = (app: App, response: PasskeyResponse): Promise<number> =>
  verifySignature(app, response, "passkey-check", requireUser(app.user).id);
