// POST /api/csp-reports: logs each Content-Security-Policy report of a browser as one typed line. Browsers send it
// without a token, so it requires none.
import type { Context } from "hono";
import { z } from "zod";
import { AppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import { readBody } from "~/http/read-body.server";
import { networkOf } from "~/use-cases/network.server";
import { type HonoEnv, jsonError } from "./serve";

const MAX_REPORT_BYTES = 16 * 1024;
const REPORTS_PER_HOUR = 60;
const Report = z.object({
  "csp-report": z.object({
    "document-uri": z.string().default(""),
    "blocked-uri": z.string().default(""),
    "effective-directive": z.string().optional(),
    "violated-directive": z.string().optional(),
  }),
});

export async function takeCspReport(c: Context<HonoEnv>): Promise<Response> {
  const app = c.get("app");
  try {
    if (!/^application\/(csp-report|json)\b/i.test(c.req.header("Content-Type") ?? ""))
      throw new AppError("UNSUPPORTED_TYPE");
    await app.attempts.take(`csp-report:${networkOf(app)}`, REPORTS_PER_HOUR, 3600);
    const text = new TextDecoder().decode(await readBody(c.req.raw, MAX_REPORT_BYTES));
    const report = readReport(text)["csp-report"];
    const line = {
      event: "csp-report",
      directive: (report["effective-directive"] ?? report["violated-directive"] ?? "").slice(0, 100),
      page: withoutQuery(report["document-uri"]),
      blocked: withoutQuery(report["blocked-uri"]),
    };
    console.log(logLine(line));
    return c.body(null, 204);
  } catch (thrown) {
    return jsonError(c, thrown);
  }
}

function readReport(text: string): z.output<typeof Report> {
  try {
    return Report.parse(JSON.parse(text));
  } catch {
    throw new AppError("INVALID", "This report could not be read.");
  }
}

/** The address without its query, which may contain a token. */
const withoutQuery = (address: string): string => (address.split(/[?#]/)[0] ?? "").slice(0, 200);
