// A form with a single button. Once the page has hydrated it posts without a page load.
import type { ReactNode } from "react";
import { useActionForm } from "~/hooks/form/use-action-form";
import type { ActResult } from "~/wire/act";
import { ActionForm } from "./action-form";

type Props = {
  /** The fields that the action takes, `intent` included. */
  fields: { intent: string } & Record<string, string | number>;
  /** The route whose action handles the form; by default the current page. */
  action?: string;
  /** The page's answer, where a surrounding frame handles the submits. */
  posted?: ActResult | undefined;
  /** A success redirects to another page. */
  redirects?: boolean;
  children: (isBusy: boolean) => ReactNode;
};

export function ButtonForm({ fields: { intent, ...hiddenFields }, posted, children, ...rest }: Props) {
  const form = useActionForm({ intent, hiddenFields, posted, ...rest });
  return <ActionForm form={form}>{children(form.isBusy)}</ActionForm>;
}
