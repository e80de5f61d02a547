// The desk under a session's face; its code loads after the page.
import { type ComponentProps, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";

const Desk = lazy(async () => ({ default: (await import("./desk")).Desk }));

export const LazyDesk = (props: ComponentProps<typeof Desk>) => (
  <LazyPart>
    <Desk {...props} />
  </LazyPart>
);
