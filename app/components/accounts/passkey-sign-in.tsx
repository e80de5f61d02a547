// Signing in with only a passkey; hidden in browsers without passkeys.
import { Button } from "~/components/ui/button";
import { usePasskey, useSupportsPasskeys } from "~/hooks/accounts/use-passkey";
import { forgetOwner } from "~/hooks/made-for";
import * as paths from "~/wire/paths";

type Props = { next: string; actToResume: string; onDone?: (() => void) | undefined };

/**
 * Without `onDone` the page redirects to `next`. With `actToResume` it posts a form, whose answer runs the act.
 */
export function PasskeySignIn({ next, actToResume, onDone }: Props) {
  const isSupported = useSupportsPasskeys();
  const { run, isBusy } = usePasskey(
    { kind: "get", optionsCall: paths.readPasskeyLogin, answerCall: paths.loginWithPasskey },
    {
      ...(actToResume === "" ? {} : { send: (response) => postPasskey({ response, next, actToResume }) }),
      onDone: () => {
        forgetOwner();
        if (onDone) onDone();
        else location.assign(next);
      },
    },
  );
  if (!isSupported) return null;
  return (
    <Button type="button" isLoading={isBusy} onClick={() => void run()}>
      Sign in with a passkey
    </Button>
  );
}

function postPasskey({
  response,
  next,
  actToResume,
}: {
  response: object;
  next: string;
  actToResume: string;
}): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/auth/login";
  const fields = { intent: "passkey", response: JSON.stringify(response), next, actToResume };
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.appendChild(field);
  }
  document.body.appendChild(form);
  form.submit();
}
