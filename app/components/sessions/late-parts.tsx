// The parts of a session's page whose code loads after the page, though the server renders them.
import { type ComponentType, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";

function loadLate<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy<ComponentType<object>>(async () => ({
    default: (await load()) as ComponentType<object>,
  }));
  return (props: Props) => (
    <LazyPart>
      <Part {...props} />
    </LazyPart>
  );
}

export const LazyDesk = loadLate(async () => (await import("./desk")).Desk);
export const JoinCall = loadLate(async () => (await import("./call")).JoinCall);
export const CallTools = loadLate(async () => (await import("./call-tools")).CallTools);
export const SeriesLine = loadLate(async () => (await import("./series-line")).SeriesLine);
export const KeepSeat = loadLate(async () => (await import("./keep-seat")).KeepSeat);
export const LatePartsList = loadLate(async () => (await import("./parts-list")).PartsList);
export const LateProgress = loadLate(async () => (await import("./recent-progress")).RecentProgress);
export const SitIn = loadLate(async () => (await import("./sit-in")).SitIn);
export const KeepGuestSeat = loadLate(async () => (await import("./sit-in")).KeepGuestSeat);
