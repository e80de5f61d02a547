// The goal form where a page opens it; its code loads then.
import { type ComponentProps, lazy, Suspense } from "react";
import { Skeleton } from "~/components/ui/skeleton";

const Form = lazy(async () => ({ default: (await import("./form")).GoalForm }));

export const GoalEditor = (props: ComponentProps<typeof Form>) => (
  <Suspense fallback={<Skeleton className="h-96" />}>
    <Form {...props} />
  </Suspense>
);
