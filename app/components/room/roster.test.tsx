// The counts of people and free places, the names of hidden people, and the words for people who type.
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { SEAT_ROLE } from "~/domain/roles";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { NOW, room } from "~/hooks/room/fixtures";
import type { LiveRoom } from "~/wire/room/live-room";
import { typingSentence } from "./chat-box";
import { type LiveSession, onlineOf, withLive, withPeopleOf } from "./live-context";
import { freePlacesText, Roster, type RosterProps } from "./roster";

// Links use a layout effect, about which React warns on the server.
vi.spyOn(console, "error").mockImplementation(() => {});

const person = (username: string): LiveRoom["participants"][number] => ({
  username,
  handle: null,
  role: SEAT_ROLE.participant,
  isHost: false,
  isReady: false,
  joinedAt: NOW,
  completedAt: null,
});

/** The text of the roster in a room of `count` people, some of whom the page knows. */
function rosterText(known: string[], count: number, online: string[]): string {
  const live = {
    room: { ...room, participants: known.map(person), count },
    online,
    inCall: [],
    isPage: known.length < count,
    connection: "open",
    client: null,
  } as unknown as LiveSession;
  const session = { id: 7, slug: "s", path: "/sessions/7", participantLimit: 5, ownerUsername: "ann" };
  const props: RosterProps = {
    session,
    me: "ann",
    status: SESSION_STATUS.running,
    turn: null,
    canRun: false,
    canHost: false,
  };
  const element = withLive(live, <Roster {...props} />);
  const router = createMemoryRouter([{ id: "root", path: "/", loader: () => null, element }], {
    hydrationData: { loaderData: {} },
  });
  return renderToStaticMarkup(<RouterProvider router={router} />).replaceAll(/<[^>]*>/g, " ");
}

test("U-41 the roster counts the people who are here and away only when it knows them all", () => {
  const whole = rosterText(["ann", "ben", "cy"], 3, ["ann", "ben"]);
  expect(whole).toContain("2 here, 1 away. 2 places are free.");
  const page = rosterText(["ann", "ben"], 3, ["ann", "ben"]);
  expect(page).toContain("2 places are free.");
  expect(page).not.toMatch(/\bhere,|away/);
});

test("L-03 the page's own presence holds until a socket opens, for a refused spectator, and beside the page's newer room", () => {
  const page = ["ann", "ben"];
  const of = (connection: "connecting" | "open" | "lost", online: string[], isNewest: boolean) =>
    onlineOf(page, { connection, online }, isNewest);
  expect(onlineOf(page, null, false)).toBe(page);
  for (const isNewest of [true, false]) {
    expect(of("connecting", [], isNewest)).toBe(page);
    expect(of("open", ["cy"], isNewest)).toEqual(["cy"]);
    expect(of("open", [], isNewest)).toEqual([]);
    expect(of("lost", [], isNewest)).toBe(page);
  }
  expect(of("lost", ["cy"], false)).toBe(page);
  expect(of("lost", ["cy"], true)).toEqual(["cy"]);
});

test.each<[number, number | null, string | null]>([
  [2, 4, "2 places are free."],
  [3, 4, "1 place is free."],
  [4, 4, "No place is free."],
  [5, 4, "No place is free."],
  [1, 100, "99 places are free."],
  [2, null, null],
  [2, 0, null],
])("R-74 %i of %s places taken are a number: %s", (taken, limit, words) => {
  expect(freePlacesText(taken, limit)).toBe(words);
});

test('U-42 R-74 people whom a viewer may not see are "Participant N"', () => {
  const page = { count: 2, participants: [] } as unknown as LiveRoom;
  const hidden = withPeopleOf(page, page, { mayRead: false, isJoined: false, needsCode: true });
  expect(hidden.participants.map(({ username }) => username)).toEqual(["Participant 1", "Participant 2"]);
});

test.each([
  [["ann"], "ann is typing…"],
  [["ann", "bob"], "ann and bob are typing…"],
  [["ann", "bob", "cy"], "ann and 2 others are typing…"],
])("R-26 the people who type, %j, are one sentence: %s", (names, words) => {
  expect(typingSentence(names)).toBe(words);
});
