import fc from "fast-check";
import { expect, test } from "vitest";
import { writeNotice } from "~/domain/notices/texts";
import * as emails from "./emails.server";

const { emailChangedEmail, passwordResetEmail } = emails;

test("an email contains its link in text and HTML, and escapes markup", () => {
  const message = passwordResetEmail({
    to: "ada@example.com",
    appName: "Bothy",
    username: '<b onclick="x">ada</b>',
    url: "https://bothy.example/reset-password?token=a&b='c",
    minutes: 60,
  });
  expect(message).toMatchObject({ to: "ada@example.com", subject: "Choose a new password for Bothy" });
  expect(message.text).toContain("\nhttps://bothy.example/reset-password?token=a&b='c\n");
  expect(message.text).toContain("works once and for 60 minutes");
  expect(message.html).toContain('href="https://bothy.example/reset-password?token=a&#38;b=&#39;c"');
  expect(message.html).not.toContain("<b onclick");
  const moved = emailChangedEmail({
    to: "a@b.c",
    appName: "Bothy",
    username: "ada",
    newEmail: "<i>@x.y",
    url: "/x",
    days: 7,
  });
  expect(moved.html).not.toContain("<i>");
  expect(moved.text).toContain("<i>@x.y");
});

test("X-12 every email uses the configured product name", () => {
  const facts = {
    to: "a@b.c",
    appName: "Refuge",
    username: "ada",
    url: "/x",
    minutes: 1,
    hours: 48,
    days: 7,
    newEmail: "x@y.z",
    day: "Monday",
    what: "Your passkey was removed.",
    sentence: "We removed a post of yours.",
    reason: "Insults",
    isGranted: true,
    kind: "notice" as const,
    text: "Evening at Refuge begins.",
    series: "/series/evening",
    because: "you have a seat",
    settingsUrl: "/s",
    lines: [{ text: "Evening begins.", url: "/e", series: "/series/evening" }],
    rest: 1,
  };
  const written = Object.values(emails).map((write) => write(facts));
  expect(written).toHaveLength(14);
  for (const { subject, text, html } of written) {
    expect(subject).toContain("Refuge");
    expect([text, html].join()).toMatch(/— Refuge[\s\S]*— Refuge/);
    expect([subject, text, html].join()).not.toMatch(/bothy/i);
  }
});

test("ASVS 1.3.11 no line break in any value adds a header to an email", () => {
  const broken = (text: string) => `${text}\r\nBcc: everybody@example.com\n\n<b>x</b>\u2028y\u0000`;
  const facts = {
    to: broken("a@b.c"),
    appName: broken("Bothy"),
    username: broken("ada"),
    url: broken("/x"),
    minutes: 1,
    hours: 48,
    days: 7,
    newEmail: broken("x@y.z"),
    day: broken("Monday"),
    what: broken("Your passkey was removed."),
    sentence: broken("We removed a post of yours."),
    reason: broken("Insults"),
    isGranted: true,
    kind: "notice" as const,
    text: broken("Evening begins."),
    series: broken("/series/evening"),
    because: broken("you have a seat"),
    settingsUrl: broken("/s"),
    lines: [{ text: broken("Evening begins."), url: broken("/e"), series: broken("/s") }],
    rest: 1,
  };
  for (const write of Object.values(emails)) {
    const { to, subject, html } = write(facts);
    for (const line of [to, subject]) expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(html).not.toContain("<b>x</b>");
  }
});

/** Words with everything that HTML and Markdown read as something else. */
const words = fc
  .array(
    fc.constantFrom(
      "if",
      "a<b",
      "and",
      "c>d",
      "<x>",
      "<details>",
      "&amp;",
      "**bold**",
      '"so"',
      "'no'",
      "読書",
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((all) => all.join(" "));
const unescaped = (html: string): string =>
  html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test("R-99 the email of a notice says its sentence once, and the others keep their heading", () => {
  const facts = { to: "ada@example.com", appName: "Bothy", username: "ada", url: "/sessions/1" };
  const footed = { ...facts, because: "you have a seat", settingsUrl: "/account/notifications" };
  const timesIn = (html: string, words: string) => html.slice(html.indexOf("<body")).split(words).length - 1;
  const notice = emails.noticeEmail({ ...footed, series: null, text: "Tea begins on Friday." });
  expect(timesIn(notice.html, "Tea begins on Friday")).toBe(1);
  expect(notice.html).not.toContain("<h1");
  const reset = emails.passwordResetEmail({ ...facts, minutes: 60 });
  expect(timesIn(reset.html, "<h1")).toBe(1);
});

test("N-29 the email of an answered appeal has a link and the footer", () => {
  const { text, html } = emails.appealAnsweredEmail({
    to: "ada@example.com",
    appName: "Bothy",
    username: "ada",
    sentence: "We removed a post of yours.",
    isGranted: false,
    reason: "Insults",
    url: "https://bothy.example/account",
    because: "you appealed against a decision",
    settingsUrl: "https://bothy.example/account/notifications",
  });
  expect(text).toContain("\nhttps://bothy.example/account\n");
  expect(text).toContain(
    "You get this because you appealed against a decision. Change what we send you: https://bothy.example/account/notifications",
  );
  expect(html.match(/display:inline-block/g)).toHaveLength(1);
  expect(
    emails.suspensionEmail({ to: "a@b.c", appName: "Bothy", username: "ada", sentence: "S." }).text,
  ).not.toContain("Change what we send you");
});

test("R-60 the words of a message are those of its push, its email and its digest", () => {
  fc.assert(
    fc.property(words, (content) => {
      const body = { name: "ada", title: "Tea", path: "/sessions/1", content, seat: 1 };
      // A push shows the same text.
      const { text, subject } = writeNotice(
        { kind: "host-message", body },
        { timeZone: "UTC", locale: "en-GB" },
        true,
      );
      expect(text.endsWith(`: ${content}`)).toBe(true);
      const facts = {
        to: "ada@example.com",
        appName: "Bothy",
        username: "ada",
        because: "you have a seat",
        settingsUrl: "/account/notifications",
        url: "/sessions/1",
      };
      const lines = [{ text, url: "/sessions/1", series: null }];
      for (const email of [
        emails.noticeEmail({ ...facts, series: null, subject, text }),
        emails.digestEmail({ ...facts, lines, rest: 0 }),
      ]) {
        expect(email.text).toContain(content);
        expect(unescaped(email.html)).toContain(content);
      }
    }),
  );
});
