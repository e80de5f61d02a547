// Sends an email by SMTP. It is loaded on first use, because most deployments have the send_email binding.
import { LogLevel, WorkerMailer } from "worker-mailer";
import { type Email, MailFailure } from "~/use-cases/ports.server";

type Sender = { email: string; name: string };
type Server = { host: string; port: number; secure: boolean; credentials?: Credentials };
type Credentials = { username: string; password: string };

const TIMEOUT_MS = 20_000;

type LogIn = (this: { secure: boolean; supportsStartTls: boolean; close(): Promise<void> }) => Promise<void>;
const library = WorkerMailer.prototype as unknown as { auth: LogIn };
const logIn = library.auth;
// The library would log in, and send, in clear text when the server, or an attacker between, offers no STARTTLS.
library.auth = async function () {
  if (!this.secure && !this.supportsStartTls) {
    await this.close();
    throw new MailFailure("failed", "SMTP: the server offers no STARTTLS.");
  }
  await logIn.call(this);
};

/** Sends over TLS only: port 465 uses it from the start, and every other port must offer STARTTLS (N-32). */
export async function sendBySmtp(url: string, from: Sender, message: Email): Promise<void> {
  try {
    const server = readSmtpUrl(url);
    const mailer = await WorkerMailer.connect({
      host: server.host,
      port: server.port,
      secure: server.secure,
      startTls: !server.secure,
      authType: ["plain", "login"],
      logLevel: LogLevel.NONE,
      socketTimeoutMs: TIMEOUT_MS,
      ...(server.credentials && { credentials: server.credentials }),
    });
    try {
      await mailer.send(composeEmail(from, message));
    } finally {
      await mailer.close();
    }
  } catch (error) {
    throw failureOf(error);
  }
}

/** `smtps://user:password@host` or `smtp://…:587`. Throws on any other text. */
function readSmtpUrl(text: string): Server {
  const { protocol, hostname, port, username, password } = new URL(text);
  if (!["smtp:", "smtps:"].includes(protocol) || hostname === "")
    throw new Error("SMTP_URL begins with smtp:// or smtps://.");
  const secure = protocol === "smtps:" || port === "465";
  return {
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username && {
      credentials: {
        username: byteText(decodeURIComponent(username)),
        password: byteText(decodeURIComponent(password)),
      },
    }),
  };
}

function composeEmail(from: Sender, { to, subject, text, html, headers, attachments, key }: Email) {
  return {
    from,
    to,
    subject,
    text,
    html,
    headers: {
      ...headers,
      Subject: encodedSubject(subject),
      ...(key && { "Message-ID": `<${key.replace(/[^\w.-]/g, "-")}@${from.email.split("@").at(-1)}>` }),
    },
    ...(attachments && {
      attachments: attachments.map(({ filename, type, content }) => ({
        filename,
        mimeType: type,
        content: toBase64(content),
      })),
    }),
  };
}

/** The text's UTF-8 bytes, each as a character, because `btoa` accepts only such texts. */
const byteText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
const toBase64 = (text: string): string => btoa(byteText(text));

/** Bytes of text in an encoded word, which has at most 75 characters (RFC 2047). */
const WORD_BYTES = 42;

/** Encodes a subject in several words, because the library makes it one long word, whose line a server may refuse. */
function encodedSubject(subject: string): string {
  if (/^[\x20-\x7e]{0,900}$/.test(subject)) return subject;
  const encodedWords = [""];
  for (const letter of subject) {
    const longer = encodedWords[encodedWords.length - 1] + letter;
    if (new TextEncoder().encode(longer).length > WORD_BYTES) encodedWords.push(letter);
    else encodedWords[encodedWords.length - 1] = longer;
  }
  return encodedWords.map((word) => `=?UTF-8?B?${toBase64(word)}?=`).join("\r\n ");
}

/**
 * The library's errors contain the server's answer and the address, which stay out of the log. A 5xx to RCPT refuses the
 * address for good, except for a full mailbox (552, 5.2.2) and for a rule about us (5.7).
 */
function failureOf(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  const text = error instanceof Error ? error.message : String(error);
  const [step = ""] = /^[A-Za-z ]{0,60}/.exec(text) ?? [];
  const [, answer = ""] = /[ >](\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?)/.exec(text) ?? [];
  const isAddress =
    step === "Invalid RCPT TO" && /^5/.test(answer) && !/^552|[ -]5\.(2\.2|7\.\d)/.test(answer);
  return new MailFailure(isAddress ? "address" : "failed", `SMTP: ${`${step} ${answer}`.trim()}`);
}
