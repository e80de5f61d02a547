// The page of a suspended person: the sentence, an appeal, export, deletion and signing out.
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { DeleteAccount } from "~/components/accounts/delete-account";
import { ExportList } from "~/components/accounts/export-list";
import { MadeFor } from "~/components/form/made-for";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { DeletionInput } from "~/domain/accounts/accounts";
import { deletionScheduledSentence } from "~/domain/accounts/deletion";
import { formatDay } from "~/domain/days";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { askForDeletion } from "~/use-cases/accounts/deletion.server";
import { viewSuspension } from "~/use-cases/safety/suspensions.server";

export const loader = async (args: LoaderFunctionArgs) => {
  const suspension = await load(args, viewSuspension, { whenSignedOut: "redirect" });
  if (!suspension) throw redirect("/account");
  return suspension;
};
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    "delete-account": on(DeletionInput, askForDeletion, {
      needsCheck: true,
      redirectTo: () => "/",
      toast: ({ at }, app) => deletionScheduledSentence(formatDay(at, app.timeZone, app.locale)),
    }),
  });
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Account suspended", description: "This account is suspended." });

export default function AccountSuspended() {
  const { sentence, email, appealPath } = useLoaderData<typeof loader>();
  return (
    <Page title="Account suspended" width="form">
      <Notice tone="warning" title={sentence}>
        Until then you can download your data, or delete your account. Nothing of it is lost meanwhile.
      </Notice>
      {appealPath && (
        <Section title="Appeal">
          <p>
            You can <TextLink to={appealPath}>appeal against the decision</TextLink> once, within 30 days.
          </p>
        </Section>
      )}
      <Section title="Your data">
        <ExportList />
      </Section>
      <Section title="Leave">
        <Form method="post" action="/auth/logout">
          <MadeFor />
          <Button type="submit">Sign out</Button>
        </Form>
        <DeleteAccount email={email} />
      </Section>
    </Page>
  );
}
