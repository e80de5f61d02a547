// The lazy forms of a log: their code loads when a page shows the first of them.
import { type ComponentProps, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";
import { Skeleton } from "~/components/ui/skeleton";
import { loadLate } from "~/hooks/load-late";

const forms = () => loadLate(() => import("./log-forms-chunk"));
const ByHand = lazy(async () => ({ default: (await forms()).LogByHand }));
const EditForm = lazy(async () => ({ default: (await forms()).LogEditForm }));

export const LogByHand = (props: ComponentProps<typeof ByHand>) => (
  <LazyPart fallback={<Skeleton className="h-11" />}>
    <ByHand {...props} />
  </LazyPart>
);

export const LogEditForm = (props: ComponentProps<typeof EditForm>) => (
  <LazyPart fallback={<Skeleton className="h-96 sm:h-72" />}>
    <EditForm {...props} />
  </LazyPart>
);
