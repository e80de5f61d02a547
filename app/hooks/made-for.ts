// The login and person that this page was made for. Each write of the page carries them, and a broadcast informs
// other tabs of a change.
import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";
import { unknownShell, useShell } from "./use-shell";

/** `mark` and `username` are null for a visitor. */
type Owner = { mark: string | null; username: string | null };

let owner: Owner = { mark: null, username: null };
let isOtherPersonSignedIn = false;

/** The username that this page was made for; null for a visitor. */
export const usernameOfPage = (): string | null => owner.username;

export const madeFor = (): string | null => owner.mark;

/** True while another person is signed in, so that a reload would bring that person's data. */
export const isForeignPage = (): boolean => isOtherPersonSignedIn;

/**
 * Call it after a sign-in or a change of person on this page, which keeps the typed text. Its writes carry no mark until
 * the next data of the page bring the new one.
 */
export const forgetOwner = (): void => {
  owner = { mark: null, username: null };
};

const openChannel = () =>
  typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("bothy-owner");

/** Marks each form's data, whether React or the browser sends it. */
function markForm({ target, formData }: FormDataEvent): void {
  if (!(target instanceof HTMLFormElement) || target.method !== "post") return;
  if (owner.mark === null) formData.delete(MADE_FOR_FIELD);
  else formData.set(MADE_FOR_FIELD, owner.mark);
}

/**
 * `otherOwner`: the person who is signed in instead, until the page is reloaded or left. `ownerChanges`
 * grows when a navigation brings pages of another person, whose forms must not keep the typed text.
 */
export function usePageOwner(): {
  otherOwner: Owner | null;
  formerUsername: string | null;
  ownerChanges: number;
} {
  const shell = useShell();
  const { madeFor: mark, viewer } = shell;
  const username = viewer?.username ?? null;
  const { key } = useLocation();
  const [otherOwner, setOtherOwner] = useState<Owner | null>(null);
  const [ownerChanges, setOwnerChanges] = useState(0);
  const locationKey = useRef<string>();

  useBrowserLayoutEffect(() => {
    // An error page does not know the login.
    if (shell === unknownShell) return;
    const hasNavigated = locationKey.current !== key;
    locationKey.current = key;
    const showNotice = (other: Owner | null) => {
      isOtherPersonSignedIn = other !== null;
      setOtherOwner(other);
    };
    if (owner.mark !== null && owner.mark !== mark) {
      if (!hasNavigated) return showNotice({ mark, username });
      setOwnerChanges((count) => count + 1);
    }
    owner = { mark, username };
    showNotice(null);
    const tabs = openChannel();
    tabs?.postMessage(owner);
    tabs?.close();
  }, [shell, mark, username, key]);

  useEffect(() => {
    document.addEventListener("formdata", markForm);
    const tabs = openChannel();
    if (tabs)
      tabs.onmessage = ({ data }: MessageEvent<Owner>) => {
        if (owner.mark === null) return;
        isOtherPersonSignedIn = data.mark !== owner.mark;
        setOtherOwner(isOtherPersonSignedIn ? data : null);
      };
    return () => {
      document.removeEventListener("formdata", markForm);
      tabs?.close();
    };
  }, []);
  return { otherOwner, formerUsername: owner.username, ownerChanges };
}
