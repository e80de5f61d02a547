import { expect, test } from "vitest";
import type { z } from "zod";
import {
  DeletionInput,
  ForgotInput,
  PasswordInput,
  PersonInput,
  ProfileInput,
  ProfilePatch,
} from "~/domain/accounts/accounts";
import { safePath } from "~/domain/accounts/safe-path";
import { LoginForm, RegisterForm } from "./accounts";

const good = {
  email: "ada@example.com",
  username: "ada",
  password: "a lantern at dusk",
  passwordConfirmation: "a lantern at dusk",
  terms: "on",
};

/** The error sentences of each field. */
function sentences(schema: z.ZodType, value: unknown): Record<string, string[]> {
  const parsed = schema.safeParse(value);
  const found: Record<string, string[]> = {};
  for (const issue of parsed.error?.issues ?? []) {
    const field = issue.path.join(".");
    found[field] = [...(found[field] ?? []), issue.message];
  }
  return found;
}

test("V-01 the login form requires email and password", () => {
  const required = ["Value is required"];
  expect(sentences(LoginForm, {})).toEqual({ email: required, password: required });
  expect(sentences(LoginForm, { email: "  ", password: "" })).toEqual({
    email: required,
    password: required,
  });
  expect(sentences(LoginForm, { email: "a", password: " " })).toEqual({});
});

test("V-02 an email address is required and must be valid", () => {
  for (const email of ["", undefined])
    expect(sentences(ForgotInput, { email })).toEqual({ email: ["Value is required"] });
  for (const email of [
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "a b@example.com",
    `${"a".repeat(250)}@ex.com`,
  ])
    expect(sentences(ForgotInput, { email }), email).toEqual({
      email: ["Value is not a valid email address"],
    });
  expect(ForgotInput.parse({ email: " ada@example.com " })).toEqual({ email: "ada@example.com" });
});

test("V-03 V-04 X-09 a username is refused unless it follows the rules", () => {
  const told = (username: unknown) => sentences(RegisterForm, { ...good, username }).username;
  expect(told("")).toEqual(["Value is required"]);
  for (const bad of ["a b c", "ada!", "ädä", "a.b.c", "../x", "a/b"])
    expect(told(bad), bad).toEqual([
      "Your username can only contain letters, numbers, underscores, and dashes.",
    ]);
  for (const bad of ["ab", "a".repeat(31)])
    expect(told(bad)).toEqual(["Your username needs 3 to 30 characters."]);
  for (const bad of [
    "about",
    "Admin",
    "AUTH",
    "sessions",
    "local",
    "Bothy",
    "support",
    "moderator",
    "ROOT",
    "system",
    "host",
  ])
    expect(told(bad), bad).toEqual(["This username is taken. Please choose another."]);
  for (const fine of ["abc", "a".repeat(30), "A_b-9", "___", "-x-"]) expect(told(fine), fine).toBeUndefined();
});

test("V-05 a password mismatch is reported together with the other errors", () => {
  expect(sentences(RegisterForm, { ...good, passwordConfirmation: undefined })).toEqual({
    passwordConfirmation: ["Value is required"],
  });
  expect(sentences(RegisterForm, { ...good, email: "x", passwordConfirmation: "other" })).toEqual({
    email: ["Value is not a valid email address"],
    passwordConfirmation: ["Your password does not match."],
  });
  expect(
    sentences(PasswordInput, {
      currentPassword: "x",
      password: good.password,
      passwordConfirmation: "other",
    }),
  ).toEqual({ passwordConfirmation: ["Your password does not match."] });
});

test("V-06 a password has 8 to 256 characters and is no common sequence", () => {
  const told = (password: string) =>
    sentences(RegisterForm, { ...good, password, passwordConfirmation: password }).password;
  expect(told("")).toEqual(["Value is required"]);
  expect(told("a1b2c3d")).toEqual(["Your password needs at least 8 characters."]);
  expect(told("🏔🏔🏔🏔")).toEqual(["Your password needs at least 8 characters."]);
  expect(told("aB3$".repeat(65))).toEqual(["Your password can have at most 256 characters."]);
  expect(told("aB3$".repeat(64))).toBeUndefined();
  for (const common of ["12345678", "zzzzzzzz", "23456789", "hgfedcba"])
    expect(told(common), common).toEqual(["This password is too easy to guess. Please choose another."]);
  expect(told(" spaces around ")).toBeUndefined();
});

test("ASVS 6.2.5 a password may have any composition", () => {
  for (const password of [
    "quiet lantern",
    "40718253",
    "ÅNGSTRÖM ÅNGSTRÖM",
    "山小屋山小屋の山",
    "🏔🛖🔥🫖🧦🥾🧭🪵",
    "'; --<b>&\\\"",
  ])
    expect(
      sentences(RegisterForm, { ...good, password, passwordConfirmation: password }).password,
      password,
    ).toBeUndefined();
});

test("V-07 names are optional and have at most 60 characters", () => {
  expect(RegisterForm.parse(good)).toMatchObject({ firstName: "", lastName: "", next: "/" });
  expect(
    sentences(ProfileInput, { email: "a@b.org", firstName: "x".repeat(61), lastName: "y".repeat(60) }),
  ).toEqual({
    firstName: ["Please keep this to 60 characters."],
  });
});

test("V-08 the terms must be accepted", () => {
  for (const terms of [undefined, ""])
    expect(sentences(RegisterForm, { ...good, terms })).toEqual({ terms: ["Value is required."] });
});

test("R-36 signing in redirects only to paths of this site", () => {
  for (const fine of ["/", "/account", "/my/goals?create=1", "/a#b", "/challenges/create?template=x"])
    expect(safePath(fine)).toBe(fine);
  expect(safePath("/groups?auth=login&page=2")).toBe("/groups?page=2");
  for (const bad of [
    undefined,
    "",
    "account",
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "javascript:alert(1)",
    "/auth/login?next=/x",
    "/login",
    `/${"x".repeat(3000)}`,
  ])
    expect(safePath(bad), bad).toBe("/");
});

test("R-36 a path of 2000 characters is a redirect target, a longer path is not", () => {
  const path = `/${"x".repeat(1999)}`;
  expect(safePath(path)).toBe(path);
  expect(safePath(`${path}x`)).toBe("/");
});

test("V-01 V-02 input that is no object fails in every field, and passwords keep their spaces", () => {
  for (const given of [null, undefined, "text", [], 5])
    expect(Object.keys(sentences(ForgotInput, given))).toEqual(["email"]);
  expect(ForgotInput.parse({ email: " a@b.org " })).toEqual({ email: "a@b.org" });
  expect(sentences(ForgotInput, { email: ["a@b.org"] })).toEqual({ email: ["Value is required"] });
  const typed = {
    currentPassword: " old ",
    password: " spaces around ",
    passwordConfirmation: " spaces around ",
  };
  expect(PasswordInput.parse(typed)).toEqual(typed);
});

test("V-07 a profile change validates only the given fields", () => {
  expect(ProfilePatch.parse({ firstName: " Ada ", lastName: null })).toEqual({ firstName: "Ada" });
  expect(ProfilePatch.parse(null)).toEqual({});
  expect(sentences(ProfilePatch, { email: "" })).toEqual({ email: ["Value is required"] });
});

test("V-02 V-03 addresses, names and current passwords have length limits", () => {
  const host = `@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.org`;
  const email = (length: number) => "a".repeat(length - host.length) + host;
  expect(sentences(ForgotInput, { email: email(254 - 9) })).toEqual({});
  expect(sentences(ForgotInput, { email: `${"a".repeat(64)}@${"b".repeat(63)}.org` })).toEqual({});
  expect(Object.keys(sentences(ForgotInput, { email: `${"a".repeat(65)}@b.org` }))).toEqual(["email"]);
  const long = `a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(62)}.orgs`;
  expect([long.length, sentences(ForgotInput, { email: long })]).toEqual([252, {}]);
  expect(Object.keys(sentences(ForgotInput, { email: `abc${long}` }))).toEqual(["email"]);
  const name = (length: number) => Object.keys(sentences(PersonInput, { username: "a".repeat(length) }));
  expect([name(2), name(3), name(30), name(31)]).toEqual([["username"], [], [], ["username"]]);
  const password = (length: number) => sentences(DeletionInput, { currentPassword: "a".repeat(length) });
  expect([password(1024), password(1025)]).toEqual([{}, { currentPassword: ["This is too long."] }]);
});

test("R-36 V-06 a path with a space is refused, and so is a sequence password with a changed first character", () => {
  for (const path of ["/a b", "/a\\b", "/a\u007fb"]) expect(safePath(path)).toBe("/");
  const password = "x2345678";
  expect(sentences(RegisterForm, { ...good, password, passwordConfirmation: password })).toEqual({});
});
