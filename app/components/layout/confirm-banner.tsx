// A banner under the header until the account's address is confirmed. The server renders it, so nothing shifts.
import { lazy, Suspense } from "react";
import { useShell } from "~/hooks/use-shell";

const ConfirmEmail = lazy(async () => ({
  default: (await import("~/components/accounts/confirm-email")).ConfirmEmail,
}));

export function ConfirmBanner() {
  const { viewer } = useShell();
  return <Suspense>{viewer && !viewer.isConfirmed && <ConfirmEmail email={viewer.email} />}</Suspense>;
}
