// A session as a calendar file, by a plain link (F-19).
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { load } from "~/http/load.server";
import { exportSession } from "~/use-cases/sessions/calendar.server";
import { id } from "~/wire/values";

export async function loader(args: LoaderFunctionArgs) {
  const { name, text } = await load(args, exportSession, {
    input: z.object({ session: id }),
    isFile: true,
  });
  return new Response(text, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8; method=PUBLISH",
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
