// A session as a calendar file, by a plain link, or in the form of an online calendar (F-18, F-19).
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { z } from "zod";
import { ONLINE_CALENDARS } from "~/domain/calendar";
import { load } from "~/http/load.server";
import { exportSession } from "~/use-cases/sessions/calendar.server";
import { id } from "~/wire/values";

export async function loader(args: LoaderFunctionArgs) {
  const file = await load(args, exportSession, {
    input: z.object({ session: id, to: z.enum(ONLINE_CALENDARS).optional().catch(undefined) }),
    isFile: true,
  });
  if ("link" in file) return redirect(file.link);
  const { name, text } = file;
  return new Response(text, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8; method=PUBLISH",
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
