// Two-step sign-in: turning it on, the second step, recovery codes, and their storage.
import { eq } from "drizzle-orm";
import { TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { insertChallenge } from "#db/queries/accounts/two-step";
import { cookieOf, PASSWORD, registered } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { db, refusalOf, testApp } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { codeOf, withTwoStep } from "#tests/support/two-step";
import { createVault } from "#workers/adapters/vault";
import {
  SIGN_IN_EXPIRED,
  STEP_DURATION,
  TWO_STEP_UNAVAILABLE,
  timeStepOf,
  WRONG_CODE,
} from "~/domain/accounts/sign-in";
import { instant, MINUTE } from "~/domain/time";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { login } from "./accounts.server";
import { viewCheck } from "./check-login.server";
import { askForSecondStep, loginTwoStep, matchStep, resealSecrets } from "./second-step.server";
import {
  beginTwoStep,
  confirmTwoStep,
  createRecoveryCodes,
  turnTwoStepOff,
  viewSecurity,
} from "./two-step.server";

const expired = `UNAUTHENTICATED: ${SIGN_IN_EXPIRED}`;
const wrong = `INVALID: ${WRONG_CODE}`;

/** The token of a sign-in that waits for its second step, at an instant. */
async function askedAt(input: { email: string }, at: number) {
  const app = await testApp({ now: instant(at) });
  const { twoStep } = await login(app, { email: input.email, password: PASSWORD });
  if (!twoStep) throw new Error("no second step");
  return twoStep;
}
const second = async (token: string, code: string, at: number) =>
  loginTwoStep(await testApp({ now: instant(at) }), { token, code });

describe("codes", () => {
  // RFC 6238, appendix B: eight digits with SHA-1; the last six of them are the code of six digits.
  test.each([
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ])("Q-32 the code of RFC 6238 at %i seconds is accepted", async (seconds, digits) => {
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"; // 12345678901234567890
    const now = instant(seconds * 1000);
    expect(await matchStep(secret, digits.slice(2), now)).toBe(Math.floor(seconds / 30));
  });

  test("Q-32 a code of the step before and of the step after is accepted, and none further away", async () => {
    const secret = new TOTP({}).secret.base32;
    const now = instant(1_800_000_000_000);
    const found = await Promise.all(
      [-2, -1, 0, 1, 2].map((steps) => matchStep(secret, codeOf(secret, now + steps * STEP_DURATION), now)),
    );
    const here = timeStepOf(now);
    expect(found).toEqual([null, here - 1, here, here + 1, null]);
  });

  test("Q-32 the page shows the key as text and as a QR code, for an authenticator of SHA-1, 6 digits and 30 seconds", async () => {
    const { user, input } = await registered();
    const app = await testApp({ loginToken: user.loginToken, now: instant(Date.now()) });
    await beginTwoStep(app);
    const { setUp } = await viewSecurity(app);
    const uri = new URL(setUp?.uri ?? "");
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: "Bothy",
      secret: setUp?.key.replaceAll(" ", ""),
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    // 160 bits.
    expect(uri.searchParams.get("secret")).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(uri.pathname)).toContain(input.email);
    expect(setUp?.qr.path).toMatch(/^(M\d+ \d+h1v1h-1z){300,}$/);
    // An unattended login does not see the secret.
    const later = await testApp({ loginToken: user.loginToken, now: instant(Date.now() + 14 * MINUTE) });
    if (later.user) later.user.checkedAt = null;
    expect((await viewSecurity(later)).setUp).toBeNull();
  });

  test("Q-32 a wrong first code turns nothing on, and a second turning on is refused", async () => {
    const at = Date.now();
    const { user } = await registered();
    const app = await testApp({ loginToken: user.loginToken, now: instant(at) });
    await beginTwoStep(app);
    expect(await refusalOf(confirmTwoStep(app, { code: "abcdef" }))).toBe(wrong);
    expect((await viewSecurity(app)).twoStepSince).toBeNull();
    const secret = (await viewSecurity(app)).setUp?.key.replaceAll(" ", "") ?? "";
    const code = codeOf(secret, at);
    const both = await Promise.all([1, 2].map(() => refusalOf(confirmTwoStep(app, { code }))));
    expect(both.sort()).toEqual(["CONFLICT: Two-step sign-in is on already.", "accepted"]);
    expect(await refusalOf(beginTwoStep(app))).toBe("CONFLICT: Two-step sign-in is on already.");
  });
});

describe("signing in", () => {
  test("Q-34 R-53 the login call answers a token in place of a user and sets no login cookie; the second call signs in", async () => {
    const { input, secret } = await withTwoStep();
    const first = await callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
    expect([first.status, first.body]).toEqual([
      200,
      { user: null, two_step: { token: expect.any(String), methods: ["code", "recovery_code"] } },
    ]);
    expect([cookieOf(first.headers), first.headers.getSetCookie().join()]).toEqual([
      "",
      expect.not.stringMatching(/device=/),
    ]);
    const { token } = first.body.two_step;
    const code = codeOf(secret, Date.now());
    const refused = await callAs(null, "POST", "/login/two-step", { token, code: "000000" });
    expect([refused.status, refused.body.error_code, refused.body.fields]).toEqual([
      422,
      "INVALID",
      { code: [WRONG_CODE] },
    ]);
    const signedIn = await callAs(null, "POST", "/login/two-step", { token, code });
    expect([signedIn.status, signedIn.body.user.email]).toEqual([200, input.email]);
    expect(cookieOf(signedIn.headers)).not.toBe("");
    const again = await callAs(null, "POST", "/login/two-step", { token, code });
    expect([again.status, again.body.message]).toEqual([401, SIGN_IN_EXPIRED]);
  });

  test("Q-34 without two-step sign-in the login call answers only the user", async () => {
    const { input } = await registered();
    const answer = await callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
    expect([Object.keys(answer.body), answer.body.user.email]).toEqual([["user"], input.email]);
  });

  test("Q-35 the token lives for 5 minutes", async () => {
    const at = Date.now();
    const { input, secret } = await withTwoStep(at);
    const { token } = await askedAt(input, at);
    const end = at + 5 * MINUTE;
    expect(await refusalOf(second(token, codeOf(secret, end), end))).toBe(expired);
    expect(await refusalOf(second(token, codeOf(secret, end - 1), end - 1))).toBe("accepted");
  });

  test("Q-35 the token allows 5 attempts", async () => {
    const at = Date.now();
    const { input, secret } = await withTwoStep(at);
    const { token } = await askedAt(input, at);
    for (let i = 0; i < 5; i++) expect(await refusalOf(second(token, `wrong ${i}`, at))).toBe(wrong);
    expect(await refusalOf(second(token, codeOf(secret, at), at))).toBe(expired);
  });

  test("Q-33 a recovery code signs in once, however it is typed", async () => {
    const at = Date.now();
    const { input, codes } = await withTwoStep(at);
    const [code = ""] = codes;
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    const tokens = [await askedAt(input, at), await askedAt(input, at)];
    const typed = ` ${code.toUpperCase().replaceAll("-", " ")} `;
    expect(await refusalOf(second(tokens[0]?.token ?? "", typed, at))).toBe("accepted");
    expect(await refusalOf(second(tokens[1]?.token ?? "", code, at))).toBe(wrong);
  });

  test("Q-33 an account without recovery codes left signs in by code alone", async () => {
    const { input, userId } = await withTwoStep();
    await db.delete(schema.recoveryCodes).where(eq(schema.recoveryCodes.userId, userId));
    expect((await askedAt(input, Date.now())).methods).toEqual(["code"]);
  });

  test("Q-38 the check offers a code only to an account with two-step sign-in", async () => {
    const offers = async ({ loginToken }: { loginToken: string }) =>
      (await viewCheck(await testApp({ loginToken }))).hasTwoStep;
    const [plain, secured] = [await registered(), await withTwoStep()];
    expect([await offers(plain.user), await offers(secured.user)]).toEqual([false, true]);
  });

  test("Q-33 new recovery codes end the old ones, and exist only while two-step sign-in is on", async () => {
    const at = Date.now();
    const { input, user, codes } = await withTwoStep(at);
    const app = await testApp({ loginToken: user.loginToken, now: instant(at) });
    const renewed = (await createRecoveryCodes(app)).codes;
    const { token } = await askedAt(input, at);
    expect(await refusalOf(second(token, codes[0] ?? "", at))).toBe(wrong);
    expect(await refusalOf(second(token, renewed[0] ?? "", at))).toBe("accepted");
    await turnTwoStepOff(app);
    expect(await refusalOf(createRecoveryCodes(app))).toBe("CONFLICT: Two-step sign-in is off.");
    expect((await viewSecurity(app)).recoveryCodes).toBe(0);
    const plain = await login(await testApp(), { email: input.email, password: PASSWORD });
    expect(plain.account?.email).toBe(input.email);
  });

  test("Q-32 of 20 simultaneous requests with the same code one signs in", async () => {
    const at = Date.now();
    const { userId, secret } = await withTwoStep(at);
    // Sign-ins that wait for their code, without the twenty hashes of a password.
    const tokens = Array.from({ length: 20 }, newToken);
    for (const token of tokens)
      await insertChallenge(db, {
        tokenHash: await hashToken(token),
        kind: "two-step",
        userId,
        expiresAt: instant(at + MINUTE),
      });
    const code = codeOf(secret, at);
    const said = await Promise.all(tokens.map((token) => refusalOf(second(token, code, at))));
    expect(said.filter((word) => word === "accepted")).toHaveLength(1);
    expect(said.filter((word) => word === wrong)).toHaveLength(19);
  });

  test("Q-32 Q-33 Q-35 replayed codes and tokens are refused", { timeout: 120_000 }, async () => {
    const at = Date.now();
    const { input, userId, secret, codes } = await withTwoStep(at);
    const used = [codeOf(secret, at - STEP_DURATION), codeOf(secret, at), codes[0] ?? "", codes[1] ?? ""];
    const first = await askedAt(input, at);
    await second(first.token, used[1] ?? "", at);
    const spent = [first.token];
    for (const code of used.slice(2)) {
      const { token } = await askedAt(input, at);
      await second(token, code, at);
      spent.push(token);
    }
    let accepted = 0;
    for (let i = 0; i < runsOf(250, 25); i++) {
      // Four attempts with used codes on a valid token, each followed by one with a used token.
      const { token } =
        i % 2 === 0
          ? await askForSecondStep(await testApp({ now: instant(at) }), { id: userId }, {})
          : { token: spent[i % spent.length] ?? "" };
      for (const code of used) if ((await refusalOf(second(token, code, at))) === "accepted") accepted++;
    }
    expect(accepted).toBe(0);
  });

  test("Q-34 another password ends the sign-ins that wait for their second step, and asks for it again", async () => {
    const at = Date.now();
    const { input, user, secret } = await withTwoStep(at);
    const { token } = await askedAt(input, at);
    const password = "another lantern at dawn";
    const changed = await callAs(user, "POST", "/get-password-reset", { email: input.email });
    expect(changed.status).toBe(200);
    const { changePassword } = await import("./passwords.server");
    const app = await testApp({ loginToken: user.loginToken, now: instant(at) });
    await changePassword(app, { currentPassword: PASSWORD, password });
    expect(await refusalOf(second(token, codeOf(secret, at), at))).toBe(expired);
    const { twoStep } = await login(await testApp({ now: instant(at) }), { email: input.email, password });
    expect(twoStep?.methods).toEqual(["code", "recovery_code"]);
  });
});

describe("the stored secrets", () => {
  test("Q-36 a dump of the tables holds no secret, no code and no token that could be used", async () => {
    const at = Date.now();
    const { input, user, userId, secret, codes } = await withTwoStep(at);
    const { token } = await askedAt(input, at);
    const dump: string[] = [];
    for (const table of [
      schema.users,
      schema.logins,
      schema.devices,
      schema.twoStep,
      schema.recoveryCodes,
      schema.passkeys,
      schema.loginChallenges,
      schema.passwordResets,
      schema.confirmations,
    ])
      dump.push(JSON.stringify(await db.select().from(table)));
    const text = dump.join("\n").toLowerCase();
    expect(text).toContain(input.email.toLowerCase());
    for (const one of [secret, token, user.loginToken, ...codes, ...codes.map((c) => c.replaceAll("-", ""))])
      expect(text).not.toContain(one.toLowerCase());
    // The sealed secret opens under no other key, and for no other account.
    const row = (await db.select().from(schema.twoStep)).find((one) => one.userId === userId);
    const other = createVault({ DATA_KEY: btoa("x".repeat(32)) }, false);
    const own = createVault({}, true);
    expect([
      await other?.open(row?.secret ?? "", `two-step:${userId}`),
      await own?.open(row?.secret ?? "", `two-step:${userId + 1}`),
      await own?.open(row?.secret ?? "", `two-step:${userId}`),
    ]).toEqual([null, null, secret]);
  });

  test("Q-36 a deployed server without DATA_KEY answers CONFLICT", async () => {
    expect(createVault({}, false)).toBeNull();
    const { user } = await registered();
    const app = { ...(await testApp({ loginToken: user.loginToken })), vault: null };
    expect(await refusalOf(beginTwoStep(app))).toBe(`CONFLICT: ${TWO_STEP_UNAVAILABLE}`);
    expect((await viewSecurity(app)).isAvailable).toBe(false);
  });

  test("Q-36 a secret of an older key is sealed again under the present key", async () => {
    const at = Date.now();
    const { input, secret, userId } = await withTwoStep(at);
    const [older, newer] = ["o", "n"].map((letter) => btoa(letter.repeat(32)));
    const sealedBy = async (DATA_KEY: string) => ({
      ...(await testApp({ now: instant(at) })),
      vault: createVault({ DATA_KEY }, false),
    });
    const before = await sealedBy(older ?? "");
    await db
      .update(schema.twoStep)
      .set({ secret: (await before.vault?.seal(secret, `two-step:${userId}`)) ?? "" });
    await resealSecrets(await sealedBy(`${newer} ${older}`));
    const app = await sealedBy(newer ?? "");
    const { token } = await askedAt(input, at);
    const account = await loginTwoStep(app, { token, code: codeOf(secret, at) });
    expect(account.email).toBe(input.email);
  });
});
