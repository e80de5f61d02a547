// Passkeys: adding, signing in with only a passkey, and refusals.
import { describe, expect, test } from "vitest";
import { listPasskeys } from "#db/queries/accounts/two-step";
import { registered } from "#tests/support/accounts";
import { makeAuthenticator } from "#tests/support/authenticator";
import { db, refusalOf, testApp } from "#tests/support/factories";
import {
  PASSKEY_KNOWN,
  PASSKEY_REFUSED,
  PASSKEYS_NEED_A_NAME,
  TOO_MANY_PASSKEYS,
} from "~/domain/accounts/sign-in";
import { AppError } from "~/domain/errors";
import { instant, MINUTE } from "~/domain/time";
import { checkLogin } from "./check-login.server";
import {
  addPasskey,
  loginWithPasskey,
  passkeyCheckOptions,
  passkeyLoginOptions,
  passkeyOptions,
  removePasskey,
} from "./passkeys.server";
import { viewSecurity } from "./two-step.server";

const HERE = "http://localhost:8787";
const refused = `INVALID: ${PASSKEY_REFUSED}`;

/** An App at a host that has a name. */
async function appAt(loginToken?: string, at = Date.now()) {
  const app = await testApp({ ...(loginToken ? { loginToken } : {}), now: instant(at) });
  return { ...app, settings: { ...app.settings, origin: HERE } };
}

async function withPasskey(origin = HERE) {
  const { input, user } = await registered();
  const app = await appAt(user.loginToken);
  const authenticator = await makeAuthenticator(origin);
  const response = await authenticator.create(await passkeyOptions(app));
  const added = await addPasskey(app, { name: "Phone", response });
  return { input, user, app, authenticator, added };
}

describe("adding a passkey", () => {
  test("Q-37 a passkey has a name, is listed, and can be removed", async () => {
    const { app, authenticator, added } = await withPasskey();
    expect([added.id, added.name]).toEqual([authenticator.id, "Phone"]);
    expect((await viewSecurity(app)).passkeys).toEqual([added]);
    await removePasskey(app, { passkey: added.id });
    expect((await viewSecurity(app)).passkeys).toEqual([]);
    expect(await refusalOf(removePasskey(app, { passkey: added.id }))).toMatch(/^NOT_FOUND/);
  });

  test("Q-37 a challenge adds one passkey, for its own account and purpose", async () => {
    const { user } = await registered();
    const app = await appAt(user.loginToken);
    const other = await appAt((await registered()).user.loginToken);
    const authenticator = await makeAuthenticator(HERE);
    const add = (to: typeof app, response: Awaited<ReturnType<typeof authenticator.create>>) =>
      refusalOf(addPasskey(to, { name: "Phone", response }));
    expect(await add(other, await authenticator.create(await passkeyOptions(app)))).toBe(refused);
    expect(await add(app, await authenticator.create(await passkeyLoginOptions(app)))).toBe(refused);
    expect(await add(app, await authenticator.create({ challenge: "bm9uZQ" }))).toBe(refused);
    const response = await authenticator.create(await passkeyOptions(app));
    expect(await add(app, response)).toBe("accepted");
    expect(await add(app, response)).toBe(refused);
  });

  test("Q-37 an account has at most 10 passkeys, even if added simultaneously", async () => {
    const { user } = await registered();
    const app = await appAt(user.loginToken);
    const made = await Promise.all(
      Array.from({ length: 12 }, async () =>
        (await makeAuthenticator(HERE)).create(await passkeyOptions(app)),
      ),
    );
    const said = await Promise.all(
      made.map((response) => refusalOf(addPasskey(app, { name: "Key", response }))),
    );
    expect(said.filter((word) => word === "accepted")).toHaveLength(10);
    expect(await refusalOf(passkeyOptions(app))).toBe(`CONFLICT: ${TOO_MANY_PASSKEYS}`);
    expect(await listPasskeys(db, app.user?.id ?? 0)).toHaveLength(10);
  });

  test("Q-37 a passkey that is added already says so", async () => {
    const { app, authenticator } = await withPasskey();
    const response = await authenticator.create(await passkeyOptions(app));
    expect(await refusalOf(addPasskey(app, { name: "Again", response }))).toBe(`CONFLICT: ${PASSKEY_KNOWN}`);
  });

  test("Q-37 the browser learns which authenticators have a passkey, so that none is added twice", async () => {
    const { app, authenticator } = await withPasskey();
    expect((await passkeyOptions(app)).excludeCredentials).toMatchObject([
      { id: authenticator.id, transports: ["internal"] },
    ]);
  });

  test("Q-37 on a bare IP address there are no passkeys, and the page says why", async () => {
    const { user } = await registered();
    const app = await testApp({ loginToken: user.loginToken });
    expect((await viewSecurity(app)).hasHostName).toBe(false);
    for (const work of [passkeyOptions(app), passkeyLoginOptions(app), passkeyCheckOptions(app)])
      expect(await refusalOf(work)).toBe(`CONFLICT: ${PASSKEYS_NEED_A_NAME}`);
    const named = await appAt(user.loginToken);
    expect((await viewSecurity(named)).hasHostName).toBe(true);
  });
});

test("R-25 Q-37 each step with a passkey takes a rate limit before anything is read", async () => {
  const { user } = await registered();
  const take = async () => {
    throw new AppError("RATE_LIMITED");
  };
  const app = await appAt(user.loginToken);
  const full = { ...app, attempts: { ...app.attempts, take } };
  const response = { id: "none", response: {} };
  const steps = [
    passkeyOptions(full),
    addPasskey(full, { name: "Key", response }),
    passkeyLoginOptions(full),
    loginWithPasskey(full, { response }),
  ];
  const said = await Promise.all(steps.map(refusalOf));
  expect(said.map((words) => words.split(":")[0])).toEqual(steps.map(() => "RATE_LIMITED"));
});

describe("signing in with a passkey", () => {
  test("Q-37 a passkey alone signs in, and its challenge works once", async () => {
    const { input, authenticator } = await withPasskey();
    const app = await appAt();
    const response = await authenticator.get(await passkeyLoginOptions(app));
    const account = await loginWithPasskey(app, { response });
    expect([account.email, app.user?.email]).toEqual([input.email, input.email]);
    expect(app.cookies.login).toBeTruthy();
    expect(await refusalOf(loginWithPasskey(await appAt(), { response }))).toBe(refused);
  });

  test("Q-37 of 20 simultaneous requests with the same signature one signs in", async () => {
    const { authenticator } = await withPasskey();
    const response = await authenticator.get(await passkeyLoginOptions(await appAt()));
    const apps = await Promise.all(Array.from({ length: 20 }, () => appAt()));
    const said = await Promise.all(apps.map((app) => refusalOf(loginWithPasskey(app, { response }))));
    expect(said.filter((word) => word === "accepted")).toHaveLength(1);
  });

  test("Q-37 a signature counter that does not grow is refused", async () => {
    const { authenticator } = await withPasskey();
    const signIn = async (counter: number) => {
      authenticator.state.counter = counter;
      const app = await appAt();
      const response = await authenticator.get(await passkeyLoginOptions(app));
      return refusalOf(loginWithPasskey(app, { response }));
    };
    expect([await signIn(5), await signIn(4), await signIn(5), await signIn(6)]).toEqual([
      "accepted",
      refused,
      refused,
      "accepted",
    ]);
  });

  test("Q-37 a passkey that did not verify its user, an old challenge, another site and a removed passkey are refused", async () => {
    const { app: own, authenticator, added } = await withPasskey();
    const elsewhere = await makeAuthenticator("http://localhost.example");
    const app = await appAt();
    const get = async (from = authenticator) => ({
      response: await from.get(await passkeyLoginOptions(app)),
    });
    authenticator.state.isVerified = false;
    expect(await refusalOf(loginWithPasskey(app, await get()))).toBe(refused);
    authenticator.state.isVerified = true;
    const late = await appAt(undefined, Date.now() + 5 * MINUTE);
    expect(await refusalOf(loginWithPasskey(late, await get()))).toBe(refused);
    expect(await refusalOf(loginWithPasskey(app, await get(elsewhere)))).toBe(refused);
    const foreign = await get();
    foreign.response.response.signature = (await get()).response.response.signature;
    expect(await refusalOf(loginWithPasskey(app, foreign))).toBe(refused);
    await removePasskey(own, { passkey: added.id });
    expect(await refusalOf(loginWithPasskey(app, await get()))).toBe(refused);
    expect(app.user).toBeNull();
  });

  test("Q-37 Q-38 a passkey checks the login of its own user only", async () => {
    const { app, authenticator } = await withPasskey();
    const response = await authenticator.get(await passkeyCheckOptions(app));
    await checkLogin(app, { response });
    expect(app.user?.checkedAt).toBe(app.now);
    const stranger = await appAt((await registered()).user.loginToken);
    const theirs = await authenticator.get(await passkeyCheckOptions(stranger));
    expect(await refusalOf(checkLogin(stranger, { response: theirs }))).toBe(refused);
  });
});
