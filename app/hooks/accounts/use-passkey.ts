// The browser's side of passkeys: it asks the server for options, opens the browser's dialog and sends the result. Its
// package loads on the first click.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser";
import { useEffect, useState } from "react";
import { isHostName } from "~/domain/accounts/sign-in";
import { CallError, callServer } from "~/hooks/call-server";
import { handleRefusal } from "~/hooks/refusals";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import type { CallPath } from "~/wire/call-path";

const NO_PASSKEY_USED = "No passkey was used. Please try again.";

type Ceremony = {
  /** The browser's operation: `create` makes a passkey, `get` signs with a passkey. */
  kind: "create" | "get";
  optionsCall: CallPath;
  answerCall: CallPath;
};

/** False on the server, in a browser without passkeys, and on a bare IP address. */
export function useSupportsPasskeys(): boolean {
  const [isSupported, setSupported] = useState(false);
  useEffect(() => setSupported("PublicKeyCredential" in window && isHostName(location.hostname)), []);
  return isSupported;
}

type Handlers<Answer> = {
  success?: string;
  onDone?: (answer: Answer) => void;
  /** Sends the browser's answer in place of the call. */
  send?: (response: object) => void;
};

export function usePasskey<Answer>(
  { kind, optionsCall, answerCall }: Ceremony,
  { success, onDone, send }: Handlers<Answer>,
) {
  const call = useCall<Answer>({ ...(success ? { success } : {}), ...(onDone ? { onDone } : {}) });
  const [isAsking, setAsking] = useState(false);
  const run = async (body: object = {}, isRetry = false): Promise<void> => {
    if (isAsking) return;
    setAsking(true);
    try {
      const { options } = await callServer<{ options: never }>(optionsCall);
      const response = await askBrowser(kind, options);
      if (send) send(response);
      else void call.run(answerCall, { body: { ...body, response } });
    } catch (error) {
      if (!(error instanceof CallError)) toast.warning(NO_PASSKEY_USED);
      else {
        const retry = (isNextRetry: boolean) => void run(body, isNextRetry);
        const { code, message } = error;
        if (!handleRefusal({ code, message }, { retry, isRetry })) toast.errors(error.body.errors);
      }
    } finally {
      setAsking(false);
    }
  };
  return { run, isBusy: isAsking || call.isBusy };
}

async function askBrowser(
  kind: Ceremony["kind"],
  optionsJSON: never,
): Promise<AuthenticationResponseJSON | RegistrationResponseJSON> {
  const { startAuthentication, startRegistration } = await import("@simplewebauthn/browser");
  return kind === "create" ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON });
}
