// Dialogs that the address opens on any page (`?auth=login` …), and those a refused or pressed action opens
// (hooks/modals.ts). Each is a chunk of its own in the browser; what the address opens is part of the server's HTML, so
// that it works before JavaScript has loaded. Register a new one here, nowhere else.
import { useLocation } from "@remix-run/react";
import { type ComponentType, lazy, Suspense } from "react";
import { CarryOn } from "~/components/payments/carry-on";
import { type Modal, useModal } from "~/hooks/modals";
import { later } from "./later";

type ModalProps = {
  /** The query as it stands, e.g. `auth`, `next`. */
  query: URLSearchParams;
  /** Where closing leads: this page without the modal's own parameters. */
  closeTo: string;
};

type ModalEntry = {
  /** The query parameter that opens it. */
  parameter: string;
  /** Further parameters that belong to it and leave with it. */
  alsoClears?: readonly string[];
  Modal: ComponentType<ModalProps>;
};

const AuthModal = later(async () => (await import("~/components/accounts/auth-modal")).AuthModal);

const modals: readonly ModalEntry[] = [{ parameter: "auth", alsoClears: ["next"], Modal: AuthModal }];

type Openers = { [Name in Modal["name"]]?: ComponentType<{ modal: Extract<Modal, { name: Name }> }> };

/** Opened by `openModal`, in the browser only. */
const openers: Openers = {
  auth: lazy(async () => ({ default: (await import("~/components/accounts/auth-modal")).AuthModalOnAction })),
  "join-code": lazy(async () => ({
    default: (await import("~/components/sessions/join-code-modal")).JoinCodeModal,
  })),
  "purchase-tokens": lazy(async () => ({
    default: (await import("~/components/payments/purchase-modal")).PurchaseModal,
  })),
  subscribe: lazy(async () => ({
    default: (await import("~/components/payments/subscribe-modal")).SubscribeModal,
  })),
};

export const Modals = () => (
  <>
    <AddressModal />
    <ActionModal />
    <CarryOn />
  </>
);

function ActionModal() {
  const modal = useModal();
  const Opened = modal && (openers[modal.name] as ComponentType<{ modal: Modal }> | undefined);
  return modal && Opened ? (
    <Suspense>
      <Opened key={modal.name} modal={modal} />
    </Suspense>
  ) : null;
}

function AddressModal() {
  const location = useLocation();
  const query = new URLSearchParams(location.search);
  const open = modals.find((modal) => query.has(modal.parameter));
  if (!open) return null;
  const rest = new URLSearchParams(query);
  for (const name of [open.parameter, ...(open.alsoClears ?? [])]) rest.delete(name);
  const search = rest.toString();
  return (
    <Suspense>
      <open.Modal
        query={query}
        closeTo={`${location.pathname}${search ? `?${search}` : ""}${location.hash}`}
      />
    </Suspense>
  );
}

/** The address that opens a modal over the page one is on. */
export function useModalPath(): (parameter: string, value: string, more?: Record<string, string>) => string {
  const location = useLocation();
  return (parameter, value, more = {}) => {
    const query = new URLSearchParams(location.search);
    query.set(parameter, value);
    for (const [name, text] of Object.entries(more)) query.set(name, text);
    return `${location.pathname}?${query}`;
  };
}
