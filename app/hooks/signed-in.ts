// The event of a sign-in on this page (S-01): `document.addEventListener(SIGNED_IN, …)`, with the user in `detail`.

import * as paths from "~/wire/paths";
import { callServer } from "./call-server";
import { toast } from "./toasts";

const SIGNED_IN = "bothy:signed-in";

/** Asks the server for the current user (C-08, C-09) and dispatches the event. */
export async function announceSignIn(): Promise<void> {
  toast.signedIn();
  const user = await callServer(paths.getUser).catch(() => null);
  if (user) document.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: user }));
}
