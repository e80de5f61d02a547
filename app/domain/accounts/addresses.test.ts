// Email addresses at domains outside ASCII: both spellings are one address, in every schema that takes one.
import { expect, test } from "vitest";
import { z } from "zod";
import * as schemas from "./accounts";
import { asciiAddress } from "./addresses";

const PUNYCODE = "a@xn--exmple-cua.de";

test.each([
  ["a@exämple.de", PUNYCODE],
  ["a@EXÄMPLE.de", PUNYCODE],
  ["a@exa\u0308mple.de", PUNYCODE],
  [PUNYCODE, PUNYCODE],
  ["почта@почта.рф", "почта@xn--80a1acny.xn--p1ai"],
  ["a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"],
  ["a@example.com", "a@example.com"],
  ["a@exämple.de:80", "a@exämple.de:80"],
  ["a@exämple.de/x", "a@exämple.de/x"],
  ["a@１.２", "a@１.２"],
  ["ä", "ä"],
])("V-02 the address %s is stored as %s", (typed, stored) => {
  expect(asciiAddress(typed)).toBe(stored);
});

const rest = {
  username: "ada",
  password: "a lantern at dusk",
  passwordConfirmation: "a lantern at dusk",
  currentPassword: "a lantern",
  token: "t",
};
const DOORS = Object.entries(schemas)
  .flatMap(([name, schema]): [string, z.ZodType][] => (schema instanceof z.ZodType ? [[name, schema]] : []))
  .filter(
    ([, schema]) =>
      "safeParse" in schema &&
      JSON.stringify(schema.safeParse({ ...rest, email: PUNYCODE })).includes(PUNYCODE),
  );

test("V-02 the doors of addresses are sign-up, sign-in, both steps of a reset, and both of a change", () => {
  expect(DOORS.map(([name]) => name).sort()).toEqual([
    "ForgotInput",
    "LoginInput",
    "ProfileInput",
    "ProfilePatch",
    "RegisterInput",
    "ResetInput",
  ]);
});

test.each(DOORS)("V-02 %s takes both spellings as one address", (_, schema) => {
  for (const email of [PUNYCODE, " a@exämple.de ", "a@EXA\u0308MPLE.de"])
    expect(schema.parse({ ...rest, email })).toMatchObject({ email: PUNYCODE });
});

test.each(["a@exämple", "a@ex_ämple.de", "ä@exämple.de", "a@-ä-.de/b", "a@xn--.de.xn--"])(
  "V-02 the address %s is refused",
  (email) => {
    expect(schemas.ForgotInput.safeParse({ email }).success).toBe(false);
  },
);

test("V-02 an address at a top-level domain in punycode is taken", () => {
  expect(schemas.ForgotInput.parse({ email: "a@почта.рф" })).toEqual({ email: "a@xn--80a1acny.xn--p1ai" });
});
