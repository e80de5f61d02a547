// The form of a visitor that asked for sign-in, kept in this tab until the sign-in sends it, once.
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { readTab, writeTab } from "./tab-texts";

type KeptAct = { action: string; fields: [string, string][]; until: number };

const KEPT_MS = 10 * 60_000;
const SECRET = /password|token/i;

/** Nothing is kept of a form with a file or a secret. */
export function keepAct({ action, fields }: { action: string; fields: FormData }): void {
  const texts = [...fields].filter(([name]) => name !== MADE_FOR_FIELD);
  if (texts.some(([name, value]) => typeof value !== "string" || SECRET.test(name))) return;
  const act: KeptAct = { action, fields: texts as [string, string][], until: Date.now() + KEPT_MS };
  writeTab("kept-act", JSON.stringify(act));
}

export const forgetAct = (): void => writeTab("kept-act", null);

/** The act that waits in this tab, for its only run. */
export function takeAct(): { action: string; fields: FormData } | null {
  try {
    const act = JSON.parse(readTab("kept-act") ?? "null") as KeptAct | null;
    forgetAct();
    if (!act || act.until <= Date.now()) return null;
    const fields = new FormData();
    for (const [name, value] of act.fields) fields.append(name, value);
    // Sent like a form of its page, which then says what was done.
    fields.set("stay", "");
    return { action: act.action, fields };
  } catch {
    return null;
  }
}
