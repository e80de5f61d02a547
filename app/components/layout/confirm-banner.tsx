// A banner under the header until the account's address is confirmed. The server renders it, so nothing shifts.
import { ConfirmEmailBanner } from "~/components/accounts/confirm-email";
import { useShell } from "~/hooks/use-shell";

export function ConfirmBanner() {
  const { viewer } = useShell();
  return viewer && !viewer.isConfirmed ? <ConfirmEmailBanner email={viewer.email} /> : null;
}
