// The subscribe form over the current page (P-10), with data from the same call as the page.

import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Dialog } from "~/components/ui/dialog";
import { Skeleton } from "~/components/ui/skeleton";
import { PLANS } from "~/domain/payments/products";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { type SubscribeData, SubscribeForm } from "./subscribe-form";

export function SubscribeModal({ modal }: { modal: Extract<Modal, { name: "subscribe" }> }) {
  const fetcher = useFetcher<SubscribeData>();
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) {
      setAsked(true);
      fetcher.load("/subscribe");
    }
  }, [asked, fetcher]);
  return (
    <Dialog title={`${PLANS[modal.product].title} plan`} onClose={closeModal}>
      {fetcher.data ? (
        <SubscribeForm
          data={fetcher.data}
          product={modal.product}
          onDone={() => {
            modal.onDone?.();
            closeModal();
          }}
        />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  );
}
