// Creating a session (P-26), from an activity (?activity) or a template (?template), in a hut (?hut).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigate, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { BeginFrom } from "~/components/sessions/begin-from";
import { SessionForm } from "~/components/sessions/form";
import { oneLine } from "~/domain/text-fields";
import { SessionFormInput } from "~/forms/sessions/sessions";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { createFromForm } from "~/use-cases/series/create-from-form.server";
import { formForSession } from "~/use-cases/sessions/form.server";
import { id } from "~/wire/values";

const slug = oneLine().max(200).optional().catch(undefined);
/** `session` is the session to repeat (G-03). */
const Query = z
  .object({ activity: slug, template: slug, hut: slug, session: id.optional().catch(undefined) })
  .transform(({ session, ...query }) => ({ ...query, repeats: session }));

export const loader = (args: LoaderFunctionArgs) =>
  load(args, formForSession, { input: Query, whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      create: on(SessionFormInput, createFromForm, {
        showsErrorsOf: ["rule"],
        redirectTo: ({ session }) => session.path,
      }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Create a Session",
    description: "Choose when, for how many and in which parts; everybody who joins sees the same clock.",
  });

export default function CreateSession() {
  const form = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const toForm = (activity: string) => {
    const next = new URLSearchParams(query);
    next.set("activity", activity);
    return `?${next}`;
  };
  return (
    <Page
      title="Create a Session"
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "Sessions", to: "/events" },
        { label: "Create a Session" },
      ]}
      intro={form.values.activitySlug === null && "A timed run that people join live. You are its host."}
      width="form"
    >
      {form.values.activitySlug === null && form.repeats === null && (
        <BeginFrom form={form} formPathOf={toForm} onChoose={navigate} />
      )}
      <SessionForm key={form.values.activitySlug} form={form} />
    </Page>
  );
}
