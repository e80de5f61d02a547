// The form of a new session: a session, or with the sentence "Repeats …" a series whose first session it is (C-70, R-86).
import type { SessionInput } from "~/domain/sessions/input";
import type { App } from "~/use-cases/app.server";
import { createSession, type NewSession } from "~/use-cases/sessions/create.server";
import { readTemplate } from "~/use-cases/sessions/template.server";
import { createSeriesWithFirst } from "./series.server";

type SessionFormInput = SessionInput & {
  /** The session that this one repeats. Fields that the form does not show are copied from it (G-03). */
  repeats?: number | undefined;
  series?: { rule: string; timeZone: string } | undefined;
};

export async function createFromForm(
  app: App,
  { repeats, series, ...typed }: SessionFormInput,
): Promise<NewSession> {
  const template = repeats === undefined ? null : (await readTemplate(app, repeats)).template;
  // The form shows the privacy only of a private session without a hut.
  const isPrivate = typed.isPrivate ?? template?.isPrivate;
  const input = template
    ? {
        ...typed,
        isPrivate,
        repeatedHutId: template.repeatedHutId,
        goals: template.goals,
        slowMode: template.slowMode,
      }
    : typed;
  return series ? createSeriesWithFirst(app, { ...series, session: input }) : createSession(app, input);
}
