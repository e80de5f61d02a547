// The parts of a session's page that load after it, though the server renders them.
import { type ComponentType, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";

function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy<ComponentType<object>>(async () => ({
    default: (await load()) as ComponentType<object>,
  }));
  return (props: Props) => (
    <LazyPart>
      <Part {...props} />
    </LazyPart>
  );
}

export const LazyDesk = late(async () => (await import("./desk")).Desk);
export const JoinCall = late(async () => (await import("./call")).JoinCall);
export const CallTools = late(async () => (await import("./call-tools")).CallTools);
export const SeriesLine = late(async () => (await import("./series-line")).SeriesLine);
export const KeepSeat = late(async () => (await import("./keep-seat")).KeepSeat);
export const LatePartsList = late(async () => (await import("./parts-list")).PartsList);
export const SitIn = late(async () => (await import("./sit-in")).SitIn);
export const KeepGuestSeat = late(async () => (await import("./sit-in")).KeepGuestSeat);
