// Announces a sign-in on this page: the document's event `bothy:signed-in` has the user as its `detail` (S-01).
import { callServer } from "~/hooks/call-server";
import { toast } from "~/hooks/toasts";
import * as paths from "~/wire/paths";

const SIGNED_IN = "bothy:signed-in";

/**
 * Reads the current user from the server (C-08, C-09), dispatches the event and returns the username; null on failure.
 */
export async function announceSignIn(): Promise<string | null> {
  toast.signedIn();
  const user = await callServer<{ username: string }>(paths.getUser).catch(() => null);
  if (user) document.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: user }));
  return user?.username ?? null;
}
