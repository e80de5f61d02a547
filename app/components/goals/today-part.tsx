// Today as a part of a page; its code is a chunk of its own, which the server renders too.
import { lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";
import type { Today } from "~/domain/goals/today";

const AtHome = lazy(async () => ({ default: (await import("./today")).TodayAtHome }));
const AboveGoals = lazy(async () => ({ default: (await import("./today")).TodayPart }));

export const TodayPart = ({ today, isAtHome = false }: { today: Today; isAtHome?: boolean }) => (
  <LazyPart>{isAtHome ? <AtHome today={today} /> : <AboveGoals today={today} />}</LazyPart>
);
