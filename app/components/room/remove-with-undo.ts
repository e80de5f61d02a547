// The removal of a person from a session: the page hides them at once, and sends the removal when its toast closes.
import { CallError, callServer } from "~/hooks/call-server";
import { hideRemoved } from "~/hooks/sessions/removals";
import { toast } from "~/hooks/toasts";
import * as paths from "~/wire/paths";

type Removal = {
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

/** Mutes the person at once; the removal ends that mute. A page that closes sends the removal without waiting for its toast. */
export function removeWithUndo(removal: Removal): void {
  const { session, username, nameForActs, isMuted, isBanned, withLines, reason } = removal;
  const params = { event: session, username: nameForActs };
  let isPending = true;
  const setMute = (isOn: 0 | 1): Promise<unknown> =>
    isMuted ? Promise.resolve() : callServer(paths.changeParticipant, { params, body: { mute: isOn } });
  const settle = (act: () => Promise<unknown>) => {
    if (!isPending) return;
    isPending = false;
    removeEventListener("pagehide", send);
    void act()
      .catch((error: unknown) => {
        if (error instanceof CallError) toast.errors(error.body.errors);
        else throw error;
      })
      .finally(() => hideRemoved(removal, false));
  };
  const send = () =>
    settle(() =>
      callServer(paths.removeParticipant, {
        params,
        body: {
          keep_out: isBanned ? 1 : 0,
          remove_lines: withLines ? 1 : 0,
          unmute: isMuted ? 0 : 1,
          reason,
        },
        idempotencyKey: crypto.randomUUID(),
      }),
    );
  hideRemoved(removal, true);
  const id = `removal-${session}-${username}`;
  const muteSent = setMute(1).catch((error: unknown) => {
    // A host may remove exactly the people they may mute. The removal itself reports every other failure.
    if (!(error instanceof CallError) || error.code !== "FORBIDDEN") return;
    settle(() => Promise.reject(error));
    toast.dismiss(id);
  });
  addEventListener("pagehide", send);
  toast.success(removal.sentence, {
    id,
    action: {
      label: "Undo",
      onClick: () => {
        settle(() => muteSent.then(() => setMute(0)));
        hideRemoved(removal, false);
      },
    },
    onGone: send,
  });
}
