// An account, for super admins: its sanctions, and its suspension.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { AdminTabs } from "~/components/safety/admin-tabs";
import { LiftSuspension, SuspendForm } from "~/components/safety/suspend-form";
import { Badge } from "~/components/ui/badge";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { oneLine } from "~/domain/text-fields";
import { AccountChoice, SuspensionInput } from "~/forms/safety/sanctions";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { liftSuspension, suspendUser, viewAccount } from "~/use-cases/safety/suspensions.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewAccount, { input: z.object({ username: oneLine() }), whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    suspend: on(SuspensionInput, suspendUser, { needsCheck: true, toast: "The account is suspended." }),
    "lift-suspension": on(AccountChoice, liftSuspension, {
      needsCheck: true,
      toast: "The suspension is lifted.",
    }),
  });
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: `Account of ${args.data?.username ?? ""}`,
    description: "The sanctions of an account.",
  });

const SANCTION_NAMES = { site: "Suspended", mute: "Muted", ban: "Kept out" } as const;

export default function AdminAccount() {
  const { username, refusal, sanctions, suspension } = useLoaderData<typeof loader>();
  return (
    <Page title={`Account of ${username}`} tabs={<AdminTabs />} width="form">
      <p className="flex flex-wrap gap-x-4 gap-y-2">
        <TextLink to={`/${username}`}>Public page</TextLink>
        <TextLink to={`/admin/audit?about=${encodeURIComponent(username)}`}>Audit</TextLink>
      </p>
      <Section title="Suspension">
        {suspension ? (
          <>
            <Notice
              tone="warning"
              title={
                suspension.until === null ? (
                  "Suspended without an end."
                ) : (
                  <>
                    Suspended until <Time at={suspension.until} look="full" />.
                  </>
                )
              }
            >
              {suspension.reason}
            </Notice>
            <LiftSuspension username={username} />
          </>
        ) : refusal !== null ? (
          <p className="text-soft">{refusal}</p>
        ) : (
          <SuspendForm username={username} />
        )}
      </Section>
      <Section title="Sanctions">
        {sanctions.length === 0 ? (
          <p className="text-soft">None so far.</p>
        ) : (
          <ul aria-label="Sanctions" className="flex flex-col">
            {sanctions.map((row) => (
              <li
                key={`${row.scope} ${row.targetId} ${row.kind}`}
                className="flex flex-col gap-1 border-b border-line py-3"
              >
                <p className="flex flex-wrap items-center gap-x-2">
                  <strong>{row.scope === "site" ? SANCTION_NAMES.site : SANCTION_NAMES[row.kind]}</strong>
                  {row.scope === "session" && (
                    <TextLink to={`/sessions/${row.targetId}`}>session {row.targetId}</TextLink>
                  )}
                  {row.scope === "hut" && <span>hut {row.targetId}</span>}
                  {row.isInForce && <Badge tone="ember">In force</Badge>}
                </p>
                <p className="facts text-sm text-soft">
                  <Time at={row.createdAt} look="full" />
                  {row.until !== null && (
                    <span>
                      until <Time at={row.until} look="full" />
                    </span>
                  )}
                </p>
                {row.reason && <p className="break-words">{row.reason}</p>}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </Page>
  );
}
