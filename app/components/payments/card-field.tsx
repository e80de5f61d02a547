// The card form of whichever provider serves this installation; its code loads when it is shown.
import { forwardRef, lazy, Suspense } from "react";
import { Skeleton } from "~/components/ui/skeleton";
import type { CardHandle } from "./card";

const PracticeCard = lazy(async () => ({ default: (await import("./practice-card")).PracticeCard }));
const StripeCard = lazy(async () => ({ default: (await import("./stripe-card")).StripeCard }));

type Props = { isPractice: boolean; publishableKey: string; error?: string | null };

export const CardField = forwardRef<CardHandle, Props>(function CardField(
  { isPractice, publishableKey, error },
  ref,
) {
  return (
    <Suspense fallback={<Skeleton className="h-36" />}>
      {isPractice ? (
        <PracticeCard ref={ref} error={error ?? null} />
      ) : (
        <StripeCard ref={ref} publishableKey={publishableKey} error={error ?? null} />
      )}
    </Suspense>
  );
});
