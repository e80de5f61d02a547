// The recap of a session that is over (G-33).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { sessionMeta } from "~/components/sessions/meta";
import { SessionRecap } from "~/components/sessions/recap";
import { load } from "~/http/load.server";
import { viewRecap } from "~/use-cases/sessions/recap.server";
import { id } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewRecap, { input: z.object({ session: id }), whenSignedOut: "redirect" });

export const meta: MetaFunction = (args) => sessionMeta(args, "Recap");

export default function Recap() {
  return <SessionRecap view={useLoaderData<typeof loader>()} />;
}
