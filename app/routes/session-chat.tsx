// The tab Chat of a session (P-36, U-45).
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { SessionChat } from "~/components/sessions/session-chat";
import { load } from "~/http/load.server";
import { viewSessionChat } from "~/use-cases/session-views.server";
import { id } from "~/wire/values";

const Query = z.object({ event: id, before: z.coerce.number().int().positive().optional().catch(undefined) });

export const loader = (args: LoaderFunctionArgs) => load(args, viewSessionChat, { input: Query });

export default function Chat() {
  const view = useLoaderData<typeof loader>();
  return <SessionChat view={view} answered={undefined} />;
}
