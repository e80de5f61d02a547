// The one button of a card, as a form that another page's action takes. Without JavaScript it leads to that page; with it
// one stays in the list: what was done is said, who is signed out is asked to sign in and goes on, and so with tokens.
import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { toast } from "~/components/ui/toasts";
import { openModal } from "~/hooks/modals";
import { useTokenRetry } from "~/hooks/use-token-retry";
import type { ActResult } from "~/wire/act";

type Props = {
  action: string;
  intent: string;
  label: string;
  /** What it is about, for those who hear the button alone. */
  of: string;
  /** What goes along. */
  fields?: Record<string, string>;
};

export function CardForm({ action, intent, label, of, fields = {} }: Props) {
  const { Form, data, state, submit } = useFetcher<ActResult>();
  const element = useRef<HTMLFormElement>(null);
  const takeAnswer = useTokenRetry(element, (form) => submit(form));
  const told = useRef<ActResult | undefined>(undefined);
  useEffect(() => {
    if (!data || told.current === data) return;
    told.current = data;
    if (takeAnswer(data)) return;
    if (data.ok) {
      if (data.toast) toast.success(data.toast);
    } else if (data.code === "UNAUTHENTICATED") {
      toast.warning(data.message);
      openModal({ name: "auth", onDone: () => element.current && submit(element.current) });
    } else toast.error(data.message);
  }, [data, submit, takeAnswer]);
  return (
    <Form ref={element} method="post" action={action} preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" isLoading={state !== "idle"} aria-label={`${label}: ${of}`}>
        {label}
      </Button>
    </Form>
  );
}
