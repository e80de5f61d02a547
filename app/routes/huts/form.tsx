// Creating and updating a hut (P-28, P-29, U-38).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { DeleteHut } from "~/components/huts/delete-hut";
import { Outsiders } from "~/components/huts/outsiders";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { CONFIRM_FIRST } from "~/domain/confirmation";
import { oneLine } from "~/domain/text-fields";
import { DeleteHutInput, HutFormChange, HutFormInput } from "~/forms/huts/huts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { createHut, deleteHut, readHut, updateHut, viewHutForm } from "~/use-cases/huts/huts.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(
    args,
    async (app, { hut }: { hut?: string | undefined }) => {
      return { hut: hut ? await viewHutForm(app, { hut }) : null };
    },
    { input: z.object({ hut: oneLine().optional() }), whenSignedOut: "redirect" },
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      create: on(HutFormInput, createHut, {
        redirectTo: (hut) => hut.path,
        toast: "Success!",
        readAgain: readHut,
      }),
      update: on(HutFormChange, updateHut, {
        redirectTo: (hut) => hut.path,
        toast: "Success!",
      }),
      delete: on(DeleteHutInput, deleteHut, { redirectTo: () => "/groups", toast: "The hut was deleted." }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.hut ? "Update Hut" : "Create a Hut",
    description:
      "A hut gathers people who like the same activities and sessions. Give it a name and say who it is for.",
  });

export default function HutForm() {
  const { hut } = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  const form = useActionForm({
    intent: hut ? "update" : "create",
    draft: `hut ${hut?.slug ?? "new"}`,
    redirects: true,
  });
  return (
    <Page
      title={hut ? "Update Hut" : "Create a Hut"}
      width="form"
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "Huts", to: "/groups" },
        { label: hut ? "Update" : "Create" },
      ]}
    >
      <ActionForm form={form} className="flex flex-col gap-5">
        <FormErrors form={form} />
        <TextRow {...form.field("title", hut?.title)} label="Name" isRequired maxLength={100} />
        <RichTextField
          {...form.field("content", hut?.content)}
          label="Description"
          hint="Who you are and what you do. Markdown works."
          saved={hut?.content ?? ""}
          isDrafted
          imageOwner="hut"
        />
        <Checkbox
          name="isPrivate"
          defaultChecked={form.shownValue("isPrivate", hut?.isPrivate ? "on" : "") !== ""}
          label="Private"
          hint={`${viewer && !viewer.isConfirmed ? `${CONFIRM_FIRST} ` : ""}Only members find this hut, its activities, sessions, items and forum. People enter by your invitation, or ask to.`}
        />
        {hut && !hut.isPrivate && <Outsiders outside={hut.outside} isOwner={hut.isOwner} form={form} />}
        <Button type="submit" variant="primary" size="lg" isLoading={form.isBusy}>
          {hut ? "Save hut" : "Create hut"}
        </Button>
      </ActionForm>
      {hut && <DeleteHut slug={hut.slug} isPrivate={hut.isPrivate} endings={hut.endings} />}
    </Page>
  );
}
