// Under the header until the address of the account is confirmed. It comes with the page, so nothing moves; its
// form is a chunk that confirmed people never load.
import { Suspense } from "react";
import { useShell } from "~/hooks/use-shell";
import { later } from "./later";

const ConfirmEmail = later(async () => (await import("~/components/accounts/confirm-email")).ConfirmEmail);

export function ConfirmBanner() {
  const { viewer } = useShell();
  return viewer && !viewer.isConfirmed ? (
    <Suspense>
      <ConfirmEmail email={viewer.email} />
    </Suspense>
  ) : null;
}
