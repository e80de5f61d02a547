// Page data of the Me pages, of a person and of an item (E-19, P-42 to P-44).
import { oneLine } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";
import { fields, listCall } from "../call";
import { itemCrumbs, itemOut, parentOptionOut } from "../items/items";
import { flagOut, id, instantOut, page } from "../values";

type Item = Parameters<typeof itemOut>[0] & { createdAt: Instant };
type Person = { id: number; username: string; title: string };
type Hut = {
  id: number;
  slug: string;
  title: string;
  contentHtml: string;
  summary: string;
  userCount: number;
};
type List = { person: Person; items: Item[]; isOwner: boolean; page: number; perPage: number };

const listOut = (list: List) => ({
  person: { id: list.person.id, username: list.person.username },
  items: list.items.map(itemOut),
  /** The number of items on this page. */
  itemsCount: list.items.length,
  isOwner: flagOut(list.isOwner),
  page: list.page,
  per_page: list.perPage,
});

type Profile = List & {
  hosted: { id: number; title: string; startedAt: Instant | null; status: 0 | 1 | 2 }[];
  huts: { slug: string; title: string }[];
  attended: { id: number; title: string; startedAt: Instant | null }[];
  streak: { count: number; unit: "day" | "week" } | null;
};
type Me = List & {
  hut: Hut | null;
  huts: { id: number; slug: string; title: string }[];
  parents: { id: number; title: string; parentsTitle: string | null }[];
};
const meOut = (me: Me) => ({
  ...listOut(me),
  item: null,
  parent: null,
  group: me.hut && {
    id: me.hut.id,
    slug: me.hut.slug,
    title: me.hut.title,
    content: me.hut.contentHtml,
    user_count: me.hut.userCount,
  },
  groups: me.huts,
  parents: me.parents.map(parentOptionOut),
  breadcrumbs: itemCrumbs(me.person, me.hut, null),
});

export const itemPageCalls = {
  viewMe: listCall("GET /api/me", "Read your own profile", {
    scope: "read",
    rows: "items",
    who: "signed-in",
    input: fields({ query: { page, book_id: id.optional().catch(undefined) } }).transform((raw) => ({
      page: raw.page,
      book: raw.book_id,
    })),
    answer: meOut,
  }),
  viewMeInHut: listCall("GET /api/me/{group}", "Read yourself in a hut", {
    scope: "read",
    rows: "items",
    who: "signed-in",
    input: fields({ params: { group: oneLine() }, query: { page } }).transform(({ group, page }) => ({
      hut: group,
      page,
    })),
    answer: meOut,
  }),
  viewPerson: listCall("GET /api/{person}", "Read a person's profile", {
    scope: "read",
    rows: "items",
    input: fields({ params: { person: oneLine() }, query: { page } }),
    answer: (profile: Profile | { movedTo: string }) =>
      "movedTo" in profile
        ? { path: profile.movedTo }
        : {
            ...listOut(profile),
            item: null,
            parent: null,
            group: null,
            groups: profile.huts.map(({ slug, title }) => ({ slug, title, path: `/group/${slug}` })),
            challengeEvents: profile.hosted.map(({ id, title, startedAt, status }) => ({
              id,
              title,
              started_at: instantOut(startedAt),
              status,
              path: `/sessions/${id}`,
            })),
            attended: profile.attended.map(({ id, title, startedAt }) => ({
              id,
              title,
              started_at: instantOut(startedAt),
              path: `/sessions/${id}`,
            })),
            streak: profile.streak,
            breadcrumbs: itemCrumbs(profile.person, null, null),
          },
  }),
  viewItem: listCall("GET /api/{parentItem}/{childItem}", "Read an item", {
    scope: "read",
    rows: "items",
    input: fields({ params: { parentItem: oneLine(), childItem: oneLine() }, query: { page } }),
    answer: (
      view: List & { item: Item; hut: { slug: string; title: string } | null; isFavorite: boolean },
    ) => {
      const item = itemOut(view.item);
      return {
        ...listOut(view),
        item: { ...item, favorite: flagOut(view.isFavorite) },
        parent: item.parent,
        group: view.hut && { title: view.hut.title, slug: view.hut.slug },
        groups: [],
        breadcrumbs: itemCrumbs(view.person, view.hut, { title: item.title, path: item.path }),
      };
    },
  }),
};
