// The form that returned from the confirmation page without JavaScript, with its typed values.
import { useRouteLoaderData } from "@remix-run/react";
import { refusalTo } from "~/hooks/answers";
import type { ActResult, RefusedAct } from "~/wire/act";

export function useReturnedForm(
  intent: string,
  hiddenFields: Readonly<Record<string, string | number>> | undefined,
): RefusedAct | undefined {
  const returned = useRouteLoaderData<{ returned?: ActResult | null }>("root")?.returned;
  return refusalTo(returned, intent, hiddenFields);
}
