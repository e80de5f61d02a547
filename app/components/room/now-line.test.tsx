// The current part in one line, as the server renders it.
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { byHand, context, minute, part, START, schedule } from "~/domain/schedule/fixtures";
import { startSchedule } from "~/domain/schedule/run";
import { room } from "~/hooks/room/fixtures";
import { ShellContext, unknownShell } from "~/hooks/use-shell";
import { type LiveSession, withLive } from "./live-context";
import { NowLine } from "./now-line";

// Links use a layout effect, about which React warns on the server.
vi.spyOn(console, "error").mockImplementation(() => {});

function textOf(group: { isHidden: boolean }, mayRun: boolean): string {
  const waiting = schedule({ ...byHand, ...group, parts: [part("a", 5, { title: "Secret round" })] });
  const live = {
    room: { ...room, startedAt: START, schedule: startSchedule(waiting, START, context(0)) },
  } as unknown as LiveSession;
  const element = withLive(live, <NowLine path="/sessions/7" me="ann" mayRun={mayRun} />);
  const router = createMemoryRouter([{ id: "root", path: "/", loader: () => null, element }], {
    hydrationData: { loaderData: {} },
  });
  return renderToStaticMarkup(
    <ShellContext.Provider value={{ ...unknownShell, now: minute(1) }}>
      <RouterProvider router={router} />
    </ShellContext.Provider>,
  ).replaceAll(/<[^>]*>/g, "");
}

test.each([
  ["a participant no timer of a hidden group", { isHidden: true }, false, "Not revealed yet"],
  ["the host the same timer", { isHidden: true }, true, "Secret round"],
  ["a participant a timer of another group", { isHidden: false }, false, "Secret round"],
])("E-08 the line names to %s before it starts", (_, group, mayRun, title) => {
  expect(textOf(group, mayRun)).toBe(`${title} waiting for the host, to the timer`);
});
