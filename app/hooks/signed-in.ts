// Tells the page that somebody signed in here (S-01): `document.addEventListener(SIGNED_IN, …)`, the user in `detail`.
import { paths } from "~/wire/paths";
import { callServer } from "./call-server";

const SIGNED_IN = "bothy:signed-in";

/** Asks the server who it is now (C-08, C-09) and tells it. */
export async function announceSignIn(): Promise<void> {
  const user = await callServer(paths.getUser).catch(() => null);
  if (user) document.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: user }));
}
