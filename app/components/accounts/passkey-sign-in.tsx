// Signing in with only a passkey; hidden in browsers without passkeys.
import { Button } from "~/components/ui/button";
import { changeOwnerHere } from "~/hooks/made-for";
import { usePasskey, usePasskeysHere } from "~/hooks/use-passkey";
import * as paths from "~/wire/paths";

/** Without `onDone` the page redirects to `next`. */
export function PasskeySignIn({ next, onDone }: { next: string; onDone?: (() => void) | undefined }) {
  const isHere = usePasskeysHere();
  const { run, isBusy } = usePasskey(
    { kind: "get", options: paths.readPasskeyLogin, answer: paths.loginWithPasskey },
    {
      onDone: () => {
        changeOwnerHere();
        if (onDone) onDone();
        else location.assign(next);
      },
    },
  );
  if (!isHere) return null;
  return (
    <Button type="button" isLoading={isBusy} onClick={() => void run()}>
      Sign in with a passkey
    </Button>
  );
}
