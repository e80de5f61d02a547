// Mail: Cloudflare's send_email binding where it is bound, otherwise the local mailbox page (X-11, P-45).
import { type Database, schema } from "#db/connect.server";
import { instant } from "~/domain/time";
import type { Mail } from "~/use-cases/ports.server";
import type { Env } from "../env";

export function createMail(env: Env, db: Database): Mail {
  const binding = env.MAIL;
  if (binding) {
    return {
      async send(message) {
        await binding.send({
          from: { email: env.MAIL_FROM, name: env.APP_NAME },
          to: message.to,
          subject: message.subject,
          html: message.html,
          text: message.text,
        });
      },
    };
  }
  if (env.LOCAL_RUN !== "yes") throw new Error("A deployed run needs the send_email binding MAIL.");
  return {
    async send({ to, subject, html, text }) {
      const sentAt = instant(Date.now());
      await db.insert(schema.mailbox).values({ recipient: to, subject, html, text, sentAt });
    },
  };
}
