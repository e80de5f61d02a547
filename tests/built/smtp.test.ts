// The SMTP adapter on workerd, read back by a server that speaks TLS.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../workers/local/processes.mjs";
import { localhostCertificate } from "../support/certificate";

const DOOR = `
import { sendBySmtp } from "./workers/adapters/smtp";
export default {
  async fetch(request) {
    const { url, message } = await request.json();
    try {
      await sendBySmtp(url, { email: "hut@cabins.dev", name: "Hütte" }, message);
      return Response.json({ sent: true });
    } catch (error) {
      return Response.json({ name: error.name, reason: error.reason, message: error.message });
    }
  },
};`;
const MESSAGE = {
  kind: "notice",
  to: "ada@example.com",
  subject: "„Morgenrunde“ wurde verschoben: von Montag, dem 23., auf Dienstag, den 24. November",
  text: "Grüße\n.\nA line that is the end of an email elsewhere.",
  html: "<p>Grüße</p>",
  headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  attachments: [{ filename: "invite.ics", type: "text/calendar; method=REQUEST", content: "SUMMARY:Grüße" }],
  key: "mail:7:session/9",
};

type Read = { user: string; from: string; to: string[]; isSecure: boolean; raw: string };
const folder = mkdtempSync(join(tmpdir(), "bothy-smtp-"));
const read: Read[] = [];
const servers: SMTPServer[] = [];
let tls: { key: string; cert: string };
let worker: {
  dispatchFetch(url: string, init: object): Promise<{ json(): Promise<unknown> }>;
  dispose(): Promise<void>;
};

/** A server on a free port; it knows one password and refuses the address `nobody@…`. */
async function serve(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({
    ...tls,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === "s3cret/€" ? done(null, { user: username }) : done(new Error("no")),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith("nobody@")
        ? done(Object.assign(new Error("5.1.1 no such user"), { responseCode: 550 }))
        : done(),
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        read.push({
          user: session.user ?? "",
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          raw: Buffer.concat(parts).toString(),
        });
        done();
      });
    },
    ...options,
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.server.address() as AddressInfo).port;
}

beforeAll(async () => {
  tls = localhostCertificate();
  const trusted = join(folder, "localhost.pem");
  writeFileSync(trusted, tls.cert);
  // Miniflare reads it when it loads.
  process.env.NODE_EXTRA_CA_CERTS = trusted;
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const bundled = await build({
    stdin: { contents: DOOR, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
    alias: { "~": join(ROOT, "app") },
    external: ["cloudflare:*"],
  });
  worker = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: bundled.outputFiles[0]?.text ?? "",
      compatibilityDate: "2026-10-01",
      compatibilityFlags: ["nodejs_compat"],
    }),
  ) as unknown as typeof worker;
});

afterAll(async () => {
  await worker?.dispose();
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.close(done))));
  rmSync(folder, { recursive: true });
});

const send = async (url: string, message: object = MESSAGE) =>
  (
    await worker.dispatchFetch("http://door/", { method: "POST", body: JSON.stringify({ url, message }) })
  ).json();
const login = (port: number, scheme: string) =>
  `${scheme}://ada:${encodeURIComponent("s3cret/€")}@localhost:${port}`;
/** A header without its folds. */
const header = (raw: string, name: string) =>
  new RegExp(`^${name}: ([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*)*)`, "m")
    .exec(raw)?.[1]
    ?.replace(/\r?\n[ \t]+/g, " ");

test.each([
  ["STARTTLS", "smtp", {}],
  ["TLS from the start", "smtps", { secure: true }],
])("N-32 N-33 an email by %s arrives whole, after a login over TLS", async (_name, scheme, options) => {
  const port = await serve(options);
  read.length = 0;
  expect(await send(login(port, scheme))).toEqual({ sent: true });
  const [got] = read;
  expect(got).toMatchObject({
    user: "ada",
    from: "hut@cabins.dev",
    to: ["ada@example.com"],
    isSecure: true,
  });
  const raw = got?.raw ?? "";
  expect(header(raw, "Message-ID")).toBe("<mail-7-session-9@cabins.dev>");
  expect(header(raw, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  const words = header(raw, "Subject")?.split(" ") ?? [];
  expect(words.every((word) => word.length <= 75)).toBe(true);
  expect(
    words
      .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? "", "base64").toString())
      .join(""),
  ).toBe(MESSAGE.subject);
  expect(raw).toContain("Gr=C3=BC=C3=9Fe\r\n.\r\nA line that is the end");
  expect(raw).toContain('Content-Type: text/calendar; method=REQUEST; name="invite.ics"');
  expect(raw).toContain(Buffer.from("SUMMARY:Grüße").toString("base64"));
});

test("N-32 without STARTTLS neither password nor email leaves", async () => {
  let tries = 0;
  const port = await serve({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (_login, _session, done) => {
      tries++;
      done(null, { user: "ada" });
    },
  });
  read.length = 0;
  expect(await send(login(port, "smtp"))).toEqual({
    name: "MailFailure",
    reason: "failed",
    message: "SMTP: the server offers no STARTTLS.",
  });
  expect([tries, read]).toEqual([0, []]);
});

test("N-35 a refused address is a failure of the address, and a refused login is not", async () => {
  const port = await serve({});
  expect(await send(login(port, "smtp"), { ...MESSAGE, to: "nobody@example.com" })).toEqual({
    name: "MailFailure",
    reason: "address",
    message: "SMTP: Invalid RCPT TO 550 5.1.1",
  });
  expect(await send(`smtp://ada:wrong@localhost:${port}`)).toMatchObject({ reason: "failed" });
  expect(await send("smtp://localhost:1")).toMatchObject({ reason: "failed" });
  expect(await send("https://localhost")).toMatchObject({ reason: "failed" });
});
