// The event of a sign-in on this page (S-01): `document.addEventListener(SIGNED_IN, …)`, with the user in `detail`.

import { callServer } from "~/hooks/call-server";
import { toast } from "~/hooks/toasts";
import * as paths from "~/wire/paths";

const SIGNED_IN = "bothy:signed-in";

/** Asks the server for the current user (C-08, C-09), dispatches the event and answers the username. */
export async function announceSignIn(): Promise<string | null> {
  toast.signedIn();
  const user = await callServer<{ username: string }>(paths.getUser).catch(() => null);
  if (user) document.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: user }));
  return user?.username ?? null;
}
