import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { hideRemoved, useRemovals } from "./removals";

function Roster({ session }: { session: number }) {
  const isRemoved = useRemovals(session);
  return ["ada", "ben"].filter((name) => !isRemoved(name)).join(" ");
}
const shownIn = (session: number) => renderToString(createElement(Roster, { session }));

test("Q-14 a removal that waits for its Undo hides this person in this session, and Undo shows them again", () => {
  hideRemoved({ session: 1, username: "ada" }, true);
  hideRemoved({ session: 2, username: "ben" }, true);
  expect([1, 2, 3].map(shownIn)).toEqual(["ben", "ada", "ada ben"]);
  hideRemoved({ session: 1, username: "ada" }, false);
  expect([1, 2].map(shownIn)).toEqual(["ada ben", "ada"]);
});
