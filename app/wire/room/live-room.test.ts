// The names of guests on their contributions, in the live room of the browser.
import { expect, test } from "vitest";
import { instant } from "~/domain/time";
import { applyOperation, type LiveRoom } from "./live-room";

const text = { content: "", content_html: "", host_content: "", host_content_html: "" };
const said = { seq: 4, content: "Hi", content_html: "<p>Hi</p>", created_at: "2026-11-30T18:00:00Z" };
const contents = { type: "content", seq: 2, title: "", prompt: "", ...text } as const;
const person = (guestName: string) => ({
  ...{ username: "~Rudeword", guestName, role: 0 as const, isHost: false, isReady: false },
  ...{ completedAt: null, joinedAt: instant(0) },
});
const roomWith = (more: object) =>
  ({ seq: 1, participants: [], count: 1, contributions: [], mutes: [], ...more }) as unknown as LiveRoom;
const namesIn = (room: LiveRoom) =>
  room.contributions.map(({ username, guestName }) => [username, guestName]);
const announced = { ...contents, contributions: [{ ...said, username: "~Rudeword" }] };
const left: Parameters<typeof applyOperation>[1] = {
  type: "participants",
  seq: 3,
  participants: [],
  left: ["~Rudeword"],
  count: 0,
};

test("H-23 the name of a guest who has left stays on a contribution that the room sends again", () => {
  const page = roomWith({ contributions: [{ seq: 4, username: "~Rudeword", guestName: "Ann" }] });
  expect(namesIn(applyOperation(page, announced))).toEqual([["~Rudeword", "Ann"]]);
});

test("H-23 a guest who contributes, gets another name and leaves keeps the last name", () => {
  const before = applyOperation(roomWith({ participants: [person("Rudeword")] }), announced);
  expect(namesIn(before)).toEqual([["~Rudeword", "Rudeword"]]);
  const gone = applyOperation({ ...before, participants: [person("Ann")] }, left);
  expect(namesIn(gone)).toEqual([["~Rudeword", "Ann"]]);
  expect(namesIn(applyOperation(gone, announced))).toEqual([["~Rudeword", "Ann"]]);
});

test("H-23 a contribution of an account has no name of a guest", () => {
  const op = { ...contents, contributions: [{ ...said, username: "ben" }] };
  expect(namesIn(applyOperation(roomWith({ participants: [person("Ann")] }), op))).toEqual([
    ["ben", undefined],
  ]);
});
