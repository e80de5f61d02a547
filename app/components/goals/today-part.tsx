// The lazy part Today of Home and My Goals. The server renders it too.
import { lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";
import type { Today } from "~/domain/goals/today";

const LazyTodayAtHome = lazy(async () => ({ default: (await import("./today")).TodayAtHome }));
const LazyTodayPart = lazy(async () => ({ default: (await import("./today")).TodayPart }));

export const TodayPart = ({ today, isAtHome = false }: { today: Today; isAtHome?: boolean }) => (
  <LazyPart>{isAtHome ? <LazyTodayAtHome today={today} /> : <LazyTodayPart today={today} />}</LazyPart>
);
