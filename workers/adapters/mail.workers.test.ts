// Which way an email takes, and what it carries.

import { desc } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { db } from "#tests/support/factories";
import { RELEASE } from "~/domain/log-line";
import type { Email } from "~/use-cases/ports.server";
import { createMail } from "./mail";

const settings = { LOCAL_RUN: "yes", MAIL_FROM: "hut@cabins.dev", APP_NAME: "A hut" };
const message: Email = {
  kind: "notice",
  to: "ada@example.com",
  subject: "Moved",
  html: "<p>Moved</p>",
  text: "Moved",
  headers: { "List-Unsubscribe": "<https://hut.cabins.dev/x>\r\nBcc: eve@example.com" },
  attachments: [{ filename: "invite.ics", type: "text/calendar; method=REQUEST", content: "SUMMARY:Grüße" }],
  key: "mail:reminder:7",
};
const binding = (send: (builder: unknown) => Promise<unknown>) => ({ send }) as unknown as SendEmail;

test("N-32 N-33 the binding comes first, with the key, one line per header and the bytes of an attachment", async () => {
  const sent: Record<string, unknown>[] = [];
  const MAIL = binding(async (builder) => sent.push(builder as Record<string, unknown>));
  await createMail({ ...settings, MAIL, SMTP_URL: "smtp://127.0.0.1:1" }, db).send(message);
  expect(sent).toEqual([
    {
      from: { email: "hut@cabins.dev", name: "A hut" },
      to: "ada@example.com",
      subject: "Moved",
      html: "<p>Moved</p>",
      text: "Moved",
      headers: {
        "List-Unsubscribe": "<https://hut.cabins.dev/x> Bcc: eve@example.com",
        "X-Entity-Ref-ID": "mail:reminder:7",
      },
      attachments: [
        {
          filename: "invite.ics",
          type: "text/calendar; method=REQUEST",
          disposition: "attachment",
          content: new TextEncoder().encode("SUMMARY:Grüße"),
        },
      ],
    },
  ]);
});

test("N-35 the binding's refusal of an address is a typed failure, and any other error is another", async () => {
  const failing = (code: string) =>
    createMail(
      { ...settings, MAIL: binding(async () => Promise.reject(Object.assign(new Error("no"), { code }))) },
      db,
    )
      .send(message)
      .catch((error: { reason?: string }) => error.reason);
  expect(await failing("E_RECIPIENT_SUPPRESSED")).toBe("address");
  expect(await failing("E_RATE_LIMIT_EXCEEDED")).toBe("failed");
});

test("P-45 N-33 the mailbox of a local run keeps headers and attachments", async () => {
  await createMail(settings, db).send(message);
  const [kept] = await db.select().from(schema.mailbox).orderBy(desc(schema.mailbox.id)).limit(1);
  expect(kept).toMatchObject({
    recipient: "ada@example.com",
    headers: { "X-Entity-Ref-ID": "mail:reminder:7" },
    attachments: message.attachments,
  });
});

test("N-32 a deployed run without mail sends nothing and logs a typed error", async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  const before = await db.$count(schema.mailbox);
  const failure = await createMail({ ...settings, LOCAL_RUN: "" }, db)
    .send(message)
    .catch((error: unknown) => error);
  log.mockRestore();
  expect(failure).toMatchObject({ name: "MailFailure", reason: "unset" });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { event: "mail-unset", kind: "notice", release: RELEASE },
  ]);
  expect(await db.$count(schema.mailbox)).toBe(before);
});
