// A person's public page (P-42): published items, newest first. Its owner also sees the others, marked.
import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ItemCard } from "~/components/items/card";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Icon } from "~/components/pictures/icon";
import { BlockItem } from "~/components/safety/block-item";
import { ReportItem } from "~/components/safety/report-link";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { DropdownMenu, MenuLink } from "~/components/ui/dropdown-menu";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { oneLine } from "~/domain/text-fields";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { viewPerson } from "~/use-cases/items/items.server";
import { page } from "~/wire/values";

export const loader = async (args: LoaderFunctionArgs) => {
  const found = await load(args, viewPerson, { input: z.object({ person: oneLine(), page }) as never });
  if ("movedTo" in found) throw redirect(found.movedTo, 301);
  return found;
};
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.person.title ?? "Nobody",
    description: `What ${args.data?.person.title ?? "somebody"} writes and shows.`,
  });

export default function Person() {
  const { viewer } = useShell();
  const { person, items, isOwner, isBlocked, page, hasNext } = useLoaderData<typeof loader>();
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
              <ReportItem target={{ kind: "person", id: person.username }} author={person.username} />
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
      {items.length === 0 ? (
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
