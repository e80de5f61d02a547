// Updating a session (P-27, UpdateChallengeEvent).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { SessionForm } from "~/components/sessions/form";
import { SCOPES } from "~/domain/series/form";
import { SessionUpdateInput } from "~/forms/sessions/sessions";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { changeSessions } from "~/use-cases/series/change.server";
import { formForSession } from "~/use-cases/sessions/form.server";
import { id } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, formForSession, {
    input: z
      .object({ event: id, scope: z.enum(SCOPES).optional().catch(undefined) })
      .transform(({ event, scope }) => ({ session: event, scope })),
    whenSignedOut: "redirect",
  });

/** The path parameter has its outside name (P-27). */
const Update = z.preprocess((form) => {
  const { event, ...posted } = form as Record<string, unknown>;
  return { ...posted, session: event };
}, SessionUpdateInput);
export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      update: on(Update, changeSessions, { toast: "Success!", redirectTo: ({ session }) => session.path }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Update Session", description: "Change when, for how many and in which parts." });

export default function UpdateSession() {
  const form = useLoaderData<typeof loader>();
  const path = `/sessions/${form.id}`;
  return (
    <Page
      title="Update Session"
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "Sessions", to: "/events" },
        { label: form.values.title, to: path },
        { label: "Update" },
      ]}
      width="form"
    >
      <SessionForm form={form} />
    </Page>
  );
}
