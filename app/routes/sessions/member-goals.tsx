// Goals › Member Goals of a session (P-33): a page of participants with their totals.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { MemberGoals } from "~/components/sessions/member-goals";
import { sessionMeta } from "~/components/sessions/meta";
import { oneLine } from "~/domain/text-fields";
import { load } from "~/http/load.server";
import { viewMemberGoals } from "~/use-cases/sessions/member-goals-page.server";
import { id, page } from "~/wire/values";

const Query = z.object({
  session: id,
  page: page.default(1),
  after: oneLine().max(100).optional().catch(undefined),
});

export const loader = (args: LoaderFunctionArgs) => load(args, viewMemberGoals, { input: Query });

export const meta: MetaFunction = (args) => sessionMeta(args, "Member Goals");

export default function SessionMemberGoals() {
  return <MemberGoals view={useLoaderData<typeof loader>()} />;
}
