// A person's public page (P-42): hosted sessions and huts that everybody may see, what the person shows, and the
// published items, newest first. Its owner also sees unpublished items, marked.
import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { z } from "zod";
import { ItemCard } from "~/components/items/card";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Icon } from "~/components/pictures/icon";
import { BlockItem } from "~/components/safety/block-item";
import { ReportMenuLink } from "~/components/safety/report-link";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { DropdownMenu, MenuLink } from "~/components/ui/dropdown-menu";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { StatusDot } from "~/components/ui/status-dot";
import { TimeSpan } from "~/components/ui/time-span";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { oneLine } from "~/domain/text-fields";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { viewPerson } from "~/use-cases/items/items.server";
import { page } from "~/wire/values";

export const loader = async (args: LoaderFunctionArgs) => {
  const answer = await load(args, viewPerson, { input: z.object({ person: oneLine(), page }) as never });
  if ("movedTo" in answer) throw redirect(answer.movedTo, 301);
  return answer;
};
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.person.title ?? "Nobody",
    description: `What ${args.data?.person.title ?? "somebody"} writes and shows.`,
  });

export default function Person() {
  const { viewer } = useShell();
  const { person, items, isOwner, isBlocked, hosted, huts, attended, streak, page, hasNext } =
    useLoaderData<typeof loader>();
  const hasActivity =
    page === 1 && (hosted.length > 0 || huts.length > 0 || attended.length > 0 || streak !== null);
  return (
    <Page
      title={
        <span className="flex items-center gap-3">
          <Avatar name={person.username} size={40} />
          {person.title}
        </span>
      }
      {...(person.title === person.username ? {} : { intro: `@${person.username}` })}
      actions={
        isOwner ? (
          <Button asChild variant="primary">
            <Link to="/me">Edit my items</Link>
          </Button>
        ) : (
          viewer && (
            <DropdownMenu
              label={`More for ${person.username}`}
              trigger={<Icon name="more" />}
              triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md text-soft hover:bg-sunken"
            >
              <BlockItem username={person.username} isBlocked={isBlocked} />
              <ReportMenuLink target={{ kind: "person", id: person.username }} author={person.username} />
              {viewer.isSuperAdmin && (
                <MenuLink to={`/admin/users/${person.username}`}>
                  <Icon name="key" />
                  Account
                </MenuLink>
              )}
            </DropdownMenu>
          )
        )
      }
    >
      {hasActivity && (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-2">
          {hosted.length > 0 && (
            <Section title="Hosts">
              <ul aria-label={`Sessions of ${person.title}`} className="flex flex-col">
                {hosted.map(({ id, title, startedAt, endedAt, status }) => (
                  <LinkRow key={id} to={`/sessions/${id}`} title={title}>
                    {startedAt === null ? (
                      "Starts when the host is ready"
                    ) : (
                      <TimeSpan from={startedAt} to={endedAt ?? startedAt} />
                    )}
                    {status === SESSION_STATUS.running && <StatusDot status={status} />}
                  </LinkRow>
                ))}
              </ul>
            </Section>
          )}
          {attended.length > 0 && (
            <Section title="Attended">
              <ul aria-label={`Sessions that ${person.title} attended`} className="flex flex-col">
                {attended.map(({ id, title, startedAt, endedAt }) => (
                  <LinkRow key={id} to={`/sessions/${id}`} title={title}>
                    {startedAt !== null && <TimeSpan from={startedAt} to={endedAt ?? startedAt} />}
                  </LinkRow>
                ))}
              </ul>
            </Section>
          )}
          {streak && (
            <Section title="Streak">
              <p>{`${streak.count} ${streak.unit}${streak.count === 1 ? "" : "s"} in a row`}</p>
            </Section>
          )}
          {huts.length > 0 && (
            <Section title="Huts">
              <ul aria-label={`Huts of ${person.title}`} className="flex flex-col">
                {huts.map(({ slug, title }) => (
                  <LinkRow key={slug} to={`/group/${slug}`} title={title} />
                ))}
              </ul>
            </Section>
          )}
        </div>
      )}
      {items.length === 0 && hasActivity && !isOwner ? null : items.length === 0 ? (
        <EmptyState drawing="lamp">
          <p>
            {isOwner
              ? "You haven't published anything yet."
              : `${person.title} hasn't published anything yet.`}
          </p>
        </EmptyState>
      ) : (
        <ul aria-label={`Items of ${person.title}`} className="flex flex-col gap-3">
          {items.map((item) => (
            <ItemCard key={item.id} item={item} />
          ))}
        </ul>
      )}
      <Pagination page={page} hasNext={hasNext} />
    </Page>
  );
}

type RowProps = { to: string; title: string; children?: ReactNode };

const LinkRow = ({ to, title, children }: RowProps) => (
  <li className="flex min-h-11 flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-2.5">
    <Link to={to} className="min-w-0 flex-1 basis-40 rounded-sm wrap-anywhere font-semibold hover:underline">
      {title}
    </Link>
    {children && (
      <span className="tabular flex flex-wrap items-center gap-x-3 text-sm text-soft">{children}</span>
    )}
  </li>
);
