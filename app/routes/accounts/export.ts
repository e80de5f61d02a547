// The export of the user's data, as a download by a plain link.
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { oneLine } from "~/domain/text-fields";
import { load } from "~/http/load.server";
import { exportFile } from "~/use-cases/accounts/export.server";
import { id } from "~/wire/values";

export async function loader(args: LoaderFunctionArgs) {
  const file = await load(args, exportFile, {
    input: z.object({ file: oneLine(), goal: id.optional() }),
    whenSignedOut: "redirect",
    isFile: true,
    needsCheck: true,
  });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await file.chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await file.chunks.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": `${file.type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${file.name.replace(/[^\w.-]/g, "_")}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
