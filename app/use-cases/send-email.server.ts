// Sends every email of the product.
import { type Addressee, mayReceive } from "~/domain/safety";
import type { App } from "./app.server";
import type { Email } from "./ports.server";

/** Without `to` the address counts as unconfirmed, which suits security emails. A failure is logged. */
export async function sendEmail(
  app: App,
  message: Email,
  to: Addressee = { isConfirmed: false },
): Promise<void> {
  if (!mayReceive(message.kind, to)) return;
  try {
    await app.mail.send(message);
  } catch (error) {
    console.error(
      JSON.stringify({ event: "mail-failed", kind: message.kind, error: String(error).slice(0, 200) }),
    );
  }
}
