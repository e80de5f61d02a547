// An item's own page with its children, on which its owner edits both (P-43, U-51).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { ItemBoard } from "~/components/items/board";
import { ItemCard, ItemFacts } from "~/components/items/card";
import { CreateItem, CreateItemToggle } from "~/components/items/create-item";
import { Favorite } from "~/components/items/favorite";
import { ItemForm } from "~/components/items/form";
import { ParentFilter } from "~/components/items/parent-filter";
import { PublishEye } from "~/components/items/row";
import { parentOptions } from "~/components/items/shapes";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Icon } from "~/components/pictures/icon";
import { ReportMenu } from "~/components/safety/report-link";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Pagination } from "~/components/ui/pagination";
import { Prose } from "~/components/ui/prose";
import { OutsideLink, TextLink } from "~/components/ui/text-link";
import { oneLine } from "~/domain/text-fields";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { viewItem } from "~/use-cases/items/items.server";
import { page } from "~/wire/values";
import { itemAction } from "./action.server";

const Query = z.object({ parentItem: oneLine(), childItem: oneLine(), page });
export const loader = (args: LoaderFunctionArgs) => load(args, viewItem, { input: Query as never });
export const action = (args: ActionFunctionArgs) => itemAction(args);
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.item.title ?? "Not found",
    description: args.data?.item.summary || "A text that somebody has published.",
  });

export default function Item() {
  const data = useLoaderData<typeof loader>();
  const { person, item, hut, items, isOwner } = data;
  const [query] = useSearchParams();
  const { viewer } = useShell();
  const isEditing = isOwner && query.get("edit") === String(item.id);
  const options = isOwner ? parentOptions(data.huts, data.parents) : [];
  const closedQuery = new URLSearchParams(query);
  closedQuery.delete("edit");
  return (
    <Page
      title={<span className="wrap-anywhere">{item.title}</span>}
      mark={<ItemFacts item={item} showsPerson hidesStatus />}
      breadcrumbs={[
        { label: person.title, to: `/${person.username}` },
        ...(hut ? [{ label: hut.title, to: `/group/${hut.slug}` }] : []),
        { label: item.title },
      ]}
      actions={
        <>
          <Favorite kind="item" id={item.id} isOn={data.isFavorite} />
          {viewer && !isOwner && (
            <ReportMenu target={{ kind: "item", id: String(item.id) }} author={item.username} />
          )}
          {isOwner && !isEditing && <PublishEye item={item} />}
          {isOwner && (
            <Button asChild className="max-sm:px-3 max-sm:[&_svg]:hidden">
              <Link
                to={isEditing ? `?${closedQuery}` : `?edit=${item.id}`}
                preventScrollReset
                aria-expanded={isEditing}
              >
                <Icon name={isEditing ? "close" : "edit"} />
                {isEditing ? "Close the form" : "Edit"}
              </Link>
            </Button>
          )}
        </>
      }
      {...(isOwner
        ? {
            sidebarLabel: "Parents",
            sidebar: <ParentFilter options={options} currentParent={`item:${item.id}`} />,
          }
        : {})}
    >
      {isEditing ? (
        <Card as="section">
          <ItemForm key={item.id} item={item} options={options} isOwnPage takesFocus />
        </Card>
      ) : (
        <Prose html={item.contentHtml} />
      )}
      {item.url && (
        <p className="wrap-anywhere">
          <OutsideLink href={item.url}>{item.url}</OutsideLink>
        </p>
      )}
      {item.isBook && <TextLink to={`/books/${item.slug}`}>Read its passages</TextLink>}
      {(isOwner || items.length > 0) && (
        <Section title="Items below" actions={isOwner && <CreateItemToggle />}>
          {isOwner && <CreateItem options={options} chosenParent={`item:${item.id}`} />}
          {isOwner ? (
            <ItemBoard items={items} options={options} page={data.page} hasNext={data.hasNext} />
          ) : (
            <ul aria-label="Items below" className="flex flex-col gap-3">
              {items.map((child) => (
                <ItemCard key={child.id} item={child} />
              ))}
            </ul>
          )}
          <Pagination page={data.page} hasNext={data.hasNext} />
        </Section>
      )}
    </Page>
  );
}
