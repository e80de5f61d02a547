import { expect, test } from "vitest";
import { emailChangedLetter, passwordResetLetter } from "./letters.server";

test("a letter carries its link in text and HTML, and nothing in it is taken for markup", () => {
  const letter = passwordResetLetter({
    to: "ada@example.com",
    appName: "Bothy",
    username: '<b onclick="x">ada</b>',
    url: "https://bothy.example/reset-password?token=a&b='c",
    minutes: 60,
  });
  expect(letter).toMatchObject({ to: "ada@example.com", subject: "Choose a new password for Bothy" });
  expect(letter.text).toContain("\nhttps://bothy.example/reset-password?token=a&b='c\n");
  expect(letter.text).toContain("works once and for 60 minutes");
  expect(letter.html).toContain('href="https://bothy.example/reset-password?token=a&#38;b=&#39;c"');
  expect(letter.html).not.toContain("<b onclick");
  const moved = emailChangedLetter({ to: "a@b.c", appName: "Bothy", username: "ada", newEmail: "<i>@x.y" });
  expect(moved.html).not.toContain("<i>");
  expect(moved.text).toContain("<i>@x.y");
});
