// The one way by which a letter leaves.
import { type Addressee, mayReceive } from "~/domain/safety";
import type { App } from "./app.server";
import type { Letter } from "./ports.server";

/** Without `to` the address counts as unconfirmed, which suits security letters. A failure is a line of the log. */
export async function sendLetter(
  app: App,
  letter: Letter,
  to: Addressee = { isConfirmed: false },
): Promise<void> {
  if (!mayReceive(letter.kind, to)) return;
  try {
    await app.mail.send(letter);
  } catch (error) {
    console.error(
      JSON.stringify({ event: "mail-failed", kind: letter.kind, error: String(error).slice(0, 200) }),
    );
  }
}
