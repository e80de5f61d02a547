// Sends emails by the send_email binding, else by SMTP, else to the mailbox page of a local run (X-11, R-51, P-45).
import { type Database, schema } from "#db/connect.server";
import { loadOnce } from "~/domain/load-once";
import { logLine } from "~/domain/log-line";
import { instant } from "~/domain/time";
import { type Email, type Mail, MailFailure } from "~/use-cases/ports.server";
import type { Env } from "../env";

const loadSmtp = loadOnce(() => import("./smtp"));

type MailEnv = Pick<Env, "MAIL" | "SMTP_URL" | "LOCAL_RUN" | "MAIL_FROM" | "APP_NAME">;

export function createMail(env: MailEnv, db: Database): Mail {
  const { MAIL: binding, SMTP_URL: url } = env;
  if (binding) return { send: (message) => sendByBinding(binding, env, message) };
  if (url)
    return {
      async send(message) {
        const { sendBySmtp } = await loadSmtp();
        await sendBySmtp(url, senderOf(env), { ...message, headers: headersOf(message) });
      },
    };
  if (env.LOCAL_RUN !== "yes") return { send: refuseUnset };
  return {
    async send(message) {
      const { to, subject, html, text, attachments = [] } = message;
      const row = { recipient: to, subject, html, text, headers: headersOf(message), attachments };
      await db.insert(schema.mailbox).values({ ...row, sentAt: instant(Date.now()) });
    },
  };
}

const senderOf = (env: MailEnv) => ({ email: env.MAIL_FROM, name: env.APP_NAME });

async function sendByBinding(binding: SendEmail, env: MailEnv, message: Email): Promise<void> {
  const { to, subject, html, text, attachments } = message;
  try {
    await binding.send({
      from: senderOf(env),
      to,
      subject,
      html,
      text,
      headers: headersOf(message),
      // The binding reads a string as base64.
      ...(attachments && {
        attachments: attachments.map(({ content, ...attachment }) => ({
          ...attachment,
          disposition: "attachment" as const,
          content: new TextEncoder().encode(content),
        })),
      }),
    });
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? "");
    throw new MailFailure(code === SUPPRESSED ? "address" : "failed", code || String(error));
  }
}

/** The binding's code for an address whose server has refused our emails for good. */
const SUPPRESSED = "E_RECIPIENT_SUPPRESSED";

/** Throws and logs `mail-unset`, because the site has no way to send mail. */
async function refuseUnset({ kind }: Email): Promise<never> {
  console.error(logLine({ event: "mail-unset", kind }));
  throw new MailFailure("unset", "Neither MAIL nor SMTP_URL is set.");
}

/** The email's headers, without line breaks in values, which would begin another header. */
function headersOf({ headers = {}, key }: Email): Record<string, string> {
  const withReference = { ...headers, ...(key && { "X-Entity-Ref-ID": key }) };
  return Object.fromEntries(
    Object.entries(withReference).map(([name, value]) => [name, value.replace(/\p{Cc}+/gu, " ").trim()]),
  );
}
