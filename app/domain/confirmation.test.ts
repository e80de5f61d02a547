import { expect, test } from "vitest";
import { type MailKind, mayReceive, requireConfirmed } from "~/domain/confirmation";

test("Q-04 R-39 an action that needs a confirmed address answers FORBIDDEN with its sentence", () => {
  expect(() => requireConfirmed({ isConfirmed: true })).not.toThrow();
  expect(() => requireConfirmed({ isConfirmed: false })).toThrow(
    expect.objectContaining({ code: "FORBIDDEN", message: "Please confirm your email address first." }),
  );
});

test("Q-05 an unconfirmed address receives the six security emails and nothing else", () => {
  const kinds: MailKind[] = [
    "confirmation",
    "reset",
    "password-changed",
    "address-changed",
    "deletion",
    "suspension",
    "notice",
  ];
  const received = (isConfirmed: boolean) => kinds.filter((kind) => mayReceive(kind, { isConfirmed }));
  expect(received(true)).toEqual(kinds);
  expect(received(false)).toEqual(kinds.slice(0, 6));
});
