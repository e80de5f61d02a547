// The parts of a session's page that load after it, though the server renders them: the desk under the face, and the
// question to the holder of a standing seat.
import { type ComponentProps, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";

const Desk = lazy(async () => ({ default: (await import("./desk")).Desk }));
const Keep = lazy(async () => ({ default: (await import("./keep-seat")).KeepSeat }));
const Call = lazy(async () => ({ default: (await import("./meeting-link")).MeetingLink }));

export const LazyDesk = (props: ComponentProps<typeof Desk>) => (
  <LazyPart>
    <Desk {...props} />
  </LazyPart>
);

export const MeetingLink = (props: ComponentProps<typeof Call>) => (
  <LazyPart>
    <Call {...props} />
  </LazyPart>
);

export const KeepSeat = (props: ComponentProps<typeof Keep>) => (
  <LazyPart>
    <Keep {...props} />
  </LazyPart>
);
