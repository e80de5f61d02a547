// The mute of the viewer, while it holds: it ends by itself at its instant.
import { Notice } from "~/components/ui/notice";
import { isInForce, mutedSentence } from "~/domain/safety/sanctions";
import { useFlips } from "~/hooks/use-now";
import { useShell } from "~/hooks/use-shell";
import { useLive } from "./live-context";

/** The sentence of the mute in force; null for none. */
export function useOwnMute(me: string | null): string | null {
  const room = useLive("room");
  const { timeZone, locale } = useShell();
  const mute = room.mutes.find(({ username }) => username === me);
  return useFlips((now) =>
    mute && isInForce(mute, now) ? mutedSentence(mute, "session", { timeZone, locale }) : null,
  ).value;
}

export function OwnMute({ me }: { me: string | null }) {
  const sentence = useOwnMute(me);
  return (
    sentence !== null && (
      <Notice tone="warning" isLive title={sentence}>
        You still hear everybody and see every timer. Ask the host if you think this is a mistake.
      </Notice>
    )
  );
}
