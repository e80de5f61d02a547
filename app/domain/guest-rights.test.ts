import { expect, test } from "vitest";
import * as paths from "~/wire/paths";
import {
  admitToCall,
  admitToForm,
  admitToSession,
  GUEST_CALLS,
  mayGuestReport,
  mayGuestVisit,
} from "./guest-rights";
import { GUEST_REFUSED } from "./room/guest-names";

const guest = { guestOf: 12 };
const account = { guestOf: null };
const asked = (what: () => void): string => {
  try {
    what();
    return "ok";
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

test("H-19 every call for guests is a call of the product", () => {
  const known = new Set(Object.values(paths).map(([method, path]) => `${method} ${path}`));
  expect([...GUEST_CALLS].filter((route) => !known.has(route))).toEqual([]);
});

test("H-19 a call that nobody thought of is FORBIDDEN to a guest by itself, and to nobody else", () => {
  const unknown = { method: "POST", path: "/api/something/new" };
  expect([guest, account, null].map((user) => asked(() => admitToCall(user, unknown)))).toEqual([
    GUEST_REFUSED,
    "ok",
    "ok",
  ]);
  expect([guest, account, null].map((user) => asked(() => admitToForm(user, "something.new")))).toEqual([
    GUEST_REFUSED,
    "ok",
    "ok",
  ]);
});

test("H-19 a guest names no other session than their own", () => {
  expect([12, 13, "12"].map((session) => asked(() => admitToSession(guest, { session })))).toEqual([
    "ok",
    GUEST_REFUSED,
    GUEST_REFUSED,
  ]);
  expect(asked(() => admitToSession(account, { session: 13 }))).toBe("ok");
});

test.each([
  ["/sessions/12", true],
  ["/sessions/12.data", true],
  ["/api/sessions/12/recap", true],
  ["/sessions/12/socket", true],
  ["/sessions/12/people", false],
  ["/sessions/12/attendance.csv", false],
  ["/sessions/13", false],
  ["/sessions/123", false],
  ["/sessions/12/", false],
  ["/", false],
  ["/_root.data", false],
  ["/ada", false],
  ["/my/goals", false],
  ["/account", false],
  ["/auth/register", true],
  ["/__manifest", true],
  ["/account/report/message/12:4", true],
  ["/account/report/message/12%3A4", true],
  ["/account/report/aim/12:~Ada", true],
  ["/account/report/message/13:4", false],
  ["/account/report/person/ada", false],
  ["/account/report/message/%E0%A4%A", false],
])("H-19 the page %s is for guests of session 12: %s", (path, may) => {
  expect(mayGuestVisit(guest, path)).toBe(may);
});

test("H-19 a guest reports what is in their own session", () => {
  const targets = [
    { kind: "session", id: "12" },
    { kind: "session", id: "121" },
    { kind: "message", id: "12:7" },
    { kind: "message", id: "121:7" },
    { kind: "item", id: "12:7" },
    { kind: "hut", id: "12" },
  ];
  expect(targets.map((target) => mayGuestReport(guest, target))).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ]);
});
