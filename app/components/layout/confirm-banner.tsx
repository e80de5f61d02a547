// A banner under the header until the account's address is confirmed. The server renders it, so nothing shifts;
// its form is a chunk that confirmed users never load.
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
