// The Me pages, which list the viewer's items or those of a hut (P-44, U-53).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ItemBoard } from "~/components/items/board";
import { ItemCard } from "~/components/items/card";
import { CreateItem, CreateItemToggle } from "~/components/items/create-item";
import { ParentFilter } from "~/components/items/parent-filter";
import { parentOptions, type ShownItem } from "~/components/items/shapes";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { FilterChip } from "~/components/ui/filter-chip";
import { Pagination } from "~/components/ui/pagination";
import { Prose } from "~/components/ui/prose";
import { TextLink } from "~/components/ui/text-link";
import { oneLine } from "~/domain/text-fields";
import { load } from "~/http/load.server";
import { viewMe } from "~/use-cases/items/me.server";
import { flag, id, page } from "~/wire/values";
import { itemAction } from "./action.server";

const Query = z
  .object({
    group: oneLine().optional(),
    book_id: id.optional().catch(undefined),
    favorites: flag.optional().catch(undefined),
    page,
  })
  .transform(({ book_id, group, favorites, page }) => ({
    hut: group,
    book: book_id,
    favorites: group === undefined && favorites,
    page,
  }));

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewMe, { input: Query, whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) => itemAction(args);
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.hut ? `${args.data.hut.title}, my items` : "My Items",
    description: "Your writing: private, or published for everybody to read.",
  });

export default function Me() {
  const data = useLoaderData<typeof loader>();
  const { person, hut, items, isOwner } = data;
  const options = parentOptions(data.huts, data.parents);
  return (
    <Page
      title={hut ? hut.title : "My Items"}
      breadcrumbs={[
        { label: person.title, to: `/${person.username}` },
        ...(hut ? [{ label: hut.title, to: `/group/${hut.slug}` }] : []),
        { label: "Items" },
      ]}
      intro={
        hut ? undefined : (
          <>
            Your writing. Published items appear on your page. Or read one of the{" "}
            <TextLink to="/books">books</TextLink>.
          </>
        )
      }
      actions={
        <>
          {isOwner && <CreateItemToggle />}
          <Button asChild>
            <Link to={`/${person.username}`}>My page</Link>
          </Button>
        </>
      }
      sidebarLabel="Hut and parents"
      sidebar={
        <>
          {hut && <HutCard hut={hut} />}
          <ParentFilter options={options} currentParent={hut ? `hut:${hut.id}` : ""} />
        </>
      }
    >
      {isOwner && <CreateItem options={options} chosenParent={data.chosen} />}
      {!hut && (
        <p>
          <FilterChip
            to={data.isFavorites ? "/me" : "?favorites=1"}
            isOn={data.isFavorites}
            label="Favourites"
          />
        </p>
      )}
      {data.isFavorites ? (
        <FavoriteItems items={items} />
      ) : items.length === 0 ? (
        <EmptyState drawing="lamp">
          <p>{hut ? "This hut has no items yet." : "You haven't written any items yet."}</p>
          {isOwner && <p>Keep a thought, a page or a list here, and publish what others may read.</p>}
        </EmptyState>
      ) : (
        <ItemBoard
          items={items}
          options={options}
          board={hut?.slug ?? null}
          page={data.page}
          hasNext={data.hasNext}
        />
      )}
      <Pagination page={data.page} hasNext={data.hasNext} />
    </Page>
  );
}

function FavoriteItems({ items }: { items: readonly ShownItem[] }) {
  if (items.length === 0)
    return (
      <EmptyState drawing="lamp">
        <p>No favourites yet. Press the star of an item, and you find it here.</p>
        <p>
          <TextLink to="/books?favorites=1">Your favourite passages</TextLink> are with the books.
        </p>
      </EmptyState>
    );
  return (
    <ul aria-label="Favourites" className="flex flex-col gap-3">
      {items.map((item) => (
        <ItemCard key={item.id} item={item} showsPerson />
      ))}
    </ul>
  );
}

type Hut = { slug: string; title: string; contentHtml: string; userCount: number };
const HutCard = ({ hut }: { hut: Hut }) => (
  <Card as="section" className="flex flex-col gap-2">
    <h2 className="text-lg">
      <Link to={`/group/${hut.slug}`} className="rounded-sm underline-offset-4 hover:underline">
        h/{hut.slug}
      </Link>
    </h2>
    {hut.contentHtml && <Prose html={hut.contentHtml} />}
    <p className="tabular font-semibold">
      {hut.userCount} {hut.userCount === 1 ? "member" : "members"}
    </p>
  </Card>
);
