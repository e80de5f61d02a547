// The recap of a session as files, by plain links (G-27, G-34).
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { load } from "~/http/load.server";
import { exportRecap } from "~/use-cases/sessions/recap.server";
import { id } from "~/wire/values";

const FILE = z.enum(["attendance.csv", "recap.csv", "recap.markdown"]);

export async function loader(args: LoaderFunctionArgs) {
  const file = new URL(args.request.url).pathname.split("/").at(-1) ?? "";
  const { name, type, text } = await load({ ...args, params: { ...args.params, file } }, exportRecap, {
    input: z.object({ session: id, file: FILE }),
    whenSignedOut: "redirect",
    isFile: true,
  });
  return new Response(text, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
