// Removals from a session that wait for their Undo: the page hides the person at once and sends the removal when
// its toast has gone.
import { useSyncExternalStore } from "react";
import * as paths from "~/wire/paths";
import { CallError, callServer } from "./call-server";
import { toast } from "./toasts";

export type Removal = {
  session: number;
  username: string;
  /** The name or handle that calls take. */
  nameForActs: string;
  isMuted: boolean;
  isBanned: boolean;
  withLines: boolean;
  reason: string;
  /** "Removed ann and 3 messages." */
  sentence: string;
};

const NOBODY: ReadonlySet<string> = new Set();
let hidden: ReadonlySet<string> = NOBODY;
const listeners = new Set<() => void>();
const keyOf = ({ session, username }: Pick<Removal, "session" | "username">) => `${session} ${username}`;

function hide(removal: Removal, isHidden: boolean): void {
  const next = new Set(hidden);
  if (isHidden) next.add(keyOf(removal));
  else next.delete(keyOf(removal));
  hidden = next;
  for (const listener of listeners) listener();
}

/** Whether this person of a session waits for the removal. */
export function useRemovals(session: number): (username: string) => boolean {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
    () => NOBODY,
  );
  return (username) => now.has(keyOf({ session, username }));
}

/** The person can say nothing from now on. A page that closes sends the removal at once. */
export function removeWithUndo(removal: Removal): void {
  const { session, username, nameForActs, isMuted, isBanned, withLines, reason } = removal;
  const params = { event: session, username: nameForActs };
  let isOpen = true;
  const mute = (mute: 0 | 1): Promise<unknown> =>
    isMuted ? Promise.resolve() : callServer(paths.changeParticipant, { params, body: { mute } });
  const settle = (act: () => Promise<unknown>) => {
    if (!isOpen) return;
    isOpen = false;
    removeEventListener("pagehide", send);
    void act()
      .catch((error: unknown) => {
        if (error instanceof CallError) toast.errors(error.body.errors);
        else throw error;
      })
      .finally(() => hide(removal, false));
  };
  const send = () =>
    settle(() =>
      callServer(paths.removeParticipant, {
        params,
        body: { keep_out: isBanned ? 1 : 0, remove_lines: withLines ? 1 : 0, reason },
        idempotencyKey: crypto.randomUUID(),
      }),
    );
  hide(removal, true);
  // The removal itself says why a mute was refused.
  const silenced = mute(1).catch(() => null);
  addEventListener("pagehide", send);
  toast.success(removal.sentence, {
    id: `removal-${session}-${username}`,
    action: {
      label: "Undo",
      onClick: () => {
        settle(() => silenced.then(() => mute(0)));
        hide(removal, false);
      },
    },
    onGone: send,
  });
}
