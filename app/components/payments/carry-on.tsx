// Back to where one was when the tokens were gone, and the same again, once some were paid.
import { useFetcher, useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { toast } from "~/components/ui/toasts";
import { type Kept, usePaid } from "~/hooks/modals";
import type { ActResult } from "~/wire/act";

export function CarryOn() {
  const paid = usePaid();
  const navigate = useNavigate();
  const fetcher = useFetcher<ActResult>();
  const done = useRef<Kept | null>(null);
  const told = useRef<ActResult | undefined>(undefined);
  const { submit, data, state } = fetcher;
  useEffect(() => {
    if (!paid || done.current === paid) return;
    done.current = paid;
    navigate(paid.from, { preventScrollReset: true });
    if (paid.form) submit(paid.form.fields, { method: "post", action: paid.form.action });
    else paid.retry?.();
  }, [paid, navigate, submit]);
  useEffect(() => {
    if (state !== "idle" || !data || told.current === data) return;
    told.current = data;
    if (!data.ok) for (const sentence of data.sentences) toast.error(sentence);
    else if (data.toast) toast.success(data.toast);
  }, [data, state]);
  return null;
}
