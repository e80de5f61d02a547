// The audit log, for super admins.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { AdminTabs } from "~/components/safety/admin-tabs";
import { AuditRows } from "~/components/safety/audit-rows";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select, TextInput } from "~/components/ui/inputs";
import { Pagination } from "~/components/ui/pagination";
import { AUDIT_TARGETS } from "~/domain/safety/audit";
import { oneLine } from "~/domain/text-fields";
import { load } from "~/http/load.server";
import { viewAudit } from "~/use-cases/safety/audit.server";
import { paging } from "~/wire/values";

const filterText = oneLine().max(60).catch("").default("");
const AuditInput = z
  .object({ ...paging, by: filterText, about: filterText, kind: filterText, id: filterText })
  .transform(({ by, about, kind, id, ...pageFields }) => ({
    ...pageFields,
    actor: by,
    user: about,
    target: kind && id ? { kind, id } : undefined,
  }));

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewAudit, { input: AuditInput, whenSignedOut: "redirect" });
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Audit", description: "Actions of moderators and super admins, newest first." });

export default function Audit() {
  const { acts, page, hasNext, after } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const isFiltered = ["by", "about", "id"].some((name) => query.get(name));
  return (
    <Page
      title="Audit"
      intro="Actions of moderators and super admins, newest first. Entries are kept for 730 days and never change."
      tabs={<AdminTabs />}
    >
      <Form
        method="get"
        role="search"
        aria-label="Filter the audit"
        className="flex flex-wrap items-end gap-3"
      >
        <Field label="By" className="max-w-60 min-w-0 flex-1 basis-40">
          <TextInput
            name="by"
            defaultValue={query.get("by") ?? ""}
            placeholder="Username"
            autoComplete="off"
          />
        </Field>
        <Field label="Concerns" className="max-w-60 min-w-0 flex-1 basis-40">
          <TextInput
            name="about"
            defaultValue={query.get("about") ?? ""}
            placeholder="Username"
            autoComplete="off"
          />
        </Field>
        <Field label="Place" className="min-w-0">
          <Select name="kind" defaultValue={query.get("kind") ?? "session"}>
            {AUDIT_TARGETS.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </Select>
        </Field>
        <Field label="Number" className="w-28">
          <TextInput name="id" defaultValue={query.get("id") ?? ""} autoComplete="off" />
        </Field>
        <Button type="submit">Filter</Button>
        {isFiltered && (
          <Button asChild variant="ghost">
            <Link to="/admin/audit">Clear</Link>
          </Button>
        )}
      </Form>
      {acts.length === 0 ? <p className="text-soft">No actions.</p> : <AuditRows acts={acts} />}
      <Pagination page={page} hasNext={hasNext} after={after} />
    </Page>
  );
}
