// The card form of the installation's provider. Stripe's loads on demand; the server renders the practice form, so that
// input before hydration is kept.
import { forwardRef, lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";
import { Notice } from "~/components/ui/notice";
import { Skeleton } from "~/components/ui/skeleton";
import type { CardHandle } from "./card";
import { PracticeCard } from "./practice-card";

const StripeCard = lazy(async () => ({ default: (await import("./stripe-card")).StripeCard }));

type Props = { isPractice: boolean; publishableKey: string; error?: string | null };

export const CardField = forwardRef<CardHandle, Props>(function CardField(
  { isPractice, publishableKey, error },
  ref,
) {
  if (isPractice) return <PracticeCard ref={ref} error={error ?? null} />;
  if (publishableKey === "")
    return <Notice tone="warning" title="Payments are not available on this site." />;
  return (
    <LazyPart fallback={<Skeleton className="h-36" />}>
      <StripeCard ref={ref} publishableKey={publishableKey} error={error ?? null} />
    </LazyPart>
  );
});
