// Finds the requests that were refused after rich text had been rendered: rights come before work.
import { vi } from "vitest";
import * as markdown from "#workers/adapters/markdown";
import { type Actor, type Cast, TARGETS, type Thing } from "./cast";
import type { Row } from "./table";
import type { shelf } from "./things";

type Stage = { cast: Cast; things: ReturnType<typeof shelf> };

/** Runs every cell: lists the refused requests that rendered, and counts the renderings of the accepted ones. */
export async function findRefusedRenderings(
  { cast, things }: Stage,
  rows: readonly Row[],
  answerOf: (row: Row, thing: Thing, actor: Actor) => Promise<string>,
): Promise<{ refused: string[]; acceptedRenderings: number }> {
  const renders = vi.spyOn(markdown, "renderPost");
  const refused: string[] = [];
  let acceptedRenderings = 0;
  for (const row of rows)
    for (const role of ["visitor", "stranger"] as const)
      for (const target of TARGETS) {
        if (row.expected(target, role) === null) continue;
        const actor: Actor = { role, user: role === "visitor" ? null : cast.of(role) };
        const thing = await things.take(row.kind, target, actor);
        renders.mockClear();
        const answer = await answerOf(row, thing, actor);
        const count = renders.mock.calls.length;
        if (answer === "ok") things.spend(row.kind, target, actor);
        if (answer === "ok") acceptedRenderings += count;
        else if (target !== "own" && count > 0) refused.push(`${row.kind} ${target} ${role}: ${answer}`);
      }
  renders.mockRestore();
  return { refused, acceptedRenderings };
}
