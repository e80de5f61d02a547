// The parts of a session's page that load after it, though the server renders them: the desk under the face, and the
// question to the holder of a standing seat.
import { type ComponentProps, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";

const Desk = lazy(async () => ({ default: (await import("./desk")).Desk }));
const Keep = lazy(async () => ({ default: (await import("./keep-seat")).KeepSeat }));
const Call = lazy(async () => ({ default: (await import("./call")).JoinCall }));
const Series = lazy(async () => ({ default: (await import("./series-line")).SeriesLine }));
const Tools = lazy(async () => ({ default: (await import("./call-tools")).CallTools }));

export const LazyDesk = (props: ComponentProps<typeof Desk>) => (
  <LazyPart>
    <Desk {...props} />
  </LazyPart>
);

export const JoinCall = (props: ComponentProps<typeof Call>) => (
  <LazyPart>
    <Call {...props} />
  </LazyPart>
);

export const CallTools = (props: ComponentProps<typeof Tools>) => (
  <LazyPart>
    <Tools {...props} />
  </LazyPart>
);

export const SeriesLine = (props: ComponentProps<typeof Series>) => (
  <LazyPart>
    <Series {...props} />
  </LazyPart>
);

export const KeepSeat = (props: ComponentProps<typeof Keep>) => (
  <LazyPart>
    <Keep {...props} />
  </LazyPart>
);
