// The lazy goal form: its code loads when a page opens it.
import { type ComponentProps, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";
import { Skeleton } from "~/components/ui/skeleton";

const Form = lazy(async () => ({ default: (await import("./form")).GoalForm }));

export const GoalEditor = (props: ComponentProps<typeof Form>) => (
  <LazyPart fallback={<Skeleton className="h-96" />}>
    <Form {...props} />
  </LazyPart>
);
