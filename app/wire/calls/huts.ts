// Huts (C-49, C-86 to C-90).
import { z } from "zod";
import { HutChange, HutInput } from "~/domain/huts";
import { ListQuery } from "~/domain/lists";
import { activityCardOut, hutOut } from "../activities";
import { call, fields, pageCall, raw, reads } from "../call";
import { flag } from "../values";

export const listQuery = { page: raw, joined: raw, templates: raw, category: raw, difficulty: raw, q: raw };

type Hut = Parameters<typeof hutOut>[0];
const hutAnswer = (hut: Hut & { path: string }) => ({ hut: hutOut(hut), path: hut.path });

export const hutCalls = {
  listHuts: pageCall("listHuts", {
    input: reads(fields({ query: listQuery }), (query) => query, ListQuery),
    answer: (result: { huts: Hut[]; page: number; perPage: number }) => ({
      groups: result.huts.map((hut) => hutOut(hut)),
      page: result.page,
      per_page: result.perPage,
    }),
  }),
  viewHut: pageCall("viewHut", {
    input: reads(
      fields({ params: { hut: z.string() }, query: listQuery }),
      ({ hut, ...query }) => ({ ...query, slug: hut }),
      ListQuery.extend({ slug: z.string() }),
    ),
    answer: (result: {
      hut: Hut;
      activities: Parameters<typeof activityCardOut>[0][];
      page: number;
      perPage: number;
    }) => ({
      hut: hutOut(result.hut),
      group: hutOut(result.hut),
      challenges: result.activities.map(activityCardOut),
      page: result.page,
      per_page: result.perPage,
    }),
  }),
  viewHutActivities: pageCall("viewHutActivities", {
    input: reads(
      fields({ params: { hut: z.string() }, query: listQuery }),
      ({ hut, ...query }) => ({ ...query, slug: hut }),
      ListQuery.extend({ slug: z.string() }),
    ),
    answer: (result: {
      hut: Hut;
      activities: Parameters<typeof activityCardOut>[0][];
      page: number;
      perPage: number;
    }) => ({
      hut: hutOut(result.hut),
      challenges: result.activities.map(activityCardOut),
      page: result.page,
      per_page: result.perPage,
    }),
  }),
  createHut: call("createHut", {
    isRepeatable: true,
    input: reads(fields({ within: "hut", body: { title: raw, content: raw } }), (body) => body, HutInput),
    answer: hutAnswer,
  }),
  updateHut: call("updateHut", {
    input: reads(
      // The body's wrapper and the path's parameter have one name: the slug is read from the path alone.
      z.preprocess(slugApart("hut"), z.object({ slug: z.string(), title: raw, content: raw })),
      (body) => body,
      HutChange,
    ),
    answer: hutAnswer,
  }),
  joinHut: call("joinHut", {
    input: fields({ params: { hut: z.string() }, body: { leave: flag.optional() } }).transform((given) => ({
      slug: given.hut,
      leave: given.leave ?? false,
    })),
    answer: hutAnswer,
  }),
  leaveHut: call("leaveHut", {
    input: fields({ params: { hut: z.string() } }).transform((given) => ({ slug: given.hut })),
    answer: hutAnswer,
  }),
  attachActivity: call("attachActivity", {
    input: fields({ params: { hut: z.string(), challenge: z.string() } }).transform((given) => ({
      hut: given.hut,
      activity: given.challenge,
      isAttached: true,
    })),
    answer: hutAnswer,
  }),
  detachActivity: call("detachActivity", {
    input: fields({ params: { hut: z.string(), challenge: z.string() } }).transform((given) => ({
      hut: given.hut,
      activity: given.challenge,
      isAttached: false,
    })),
    answer: hutAnswer,
  }),
};

/** `{ params: { hut }, body: { hut: {…} } }` → the fields and the slug, for wrappers named as the parameter. */
export function slugApart(name: string) {
  return (given: unknown) => {
    const { params, body } = given as { params: Record<string, string>; body: unknown };
    const bare = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
    const inner = typeof bare[name] === "object" && bare[name] !== null ? (bare[name] as object) : {};
    return { ...bare, ...inner, slug: params[name] };
  };
}
