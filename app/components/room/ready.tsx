// The viewer's ready mark (U-43): a labelled button under the face, once the start is near.
import { Form } from "@remix-run/react";
import { MadeFor } from "~/components/form/made-for";
import { buttonClass } from "~/components/ui/button";
import { isNearStart } from "~/domain/sessions/status";
import { toast } from "~/hooks/toasts";
import { useFlips } from "~/hooks/use-now";
import { useLive } from "./live-context";

/** Renders nothing for viewers without a seat, and before people arrive. */
export function ReadyButton({ me, path }: { me: string | null; path: string }) {
  const room = useLive("room");
  const client = useLive("client");
  const isNear = useFlips((now) => isNearStart(room, now)).value;
  const ownSeat = room.participants.find(({ username }) => username === me);
  if (!ownSeat || !(isNear || ownSeat.isReady)) return null;
  const { isReady } = ownSeat;
  return (
    <Form
      method="post"
      action={path}
      preventScrollReset
      onSubmit={(event) => {
        if (!client) return;
        event.preventDefault();
        client.setReady(!isReady);
        if (!isReady) toast.success("You are ready for this activity!", { id: "ready" });
      }}
    >
      <input type="hidden" name="intent" value="ready" />
      <MadeFor />
      <input type="hidden" name="isReady" value={isReady ? "0" : "1"} />
      <button
        type="submit"
        aria-pressed={isReady}
        aria-keyshortcuts="r"
        className={buttonClass("quiet", "lg", isReady ? "text-pine" : "")}
      >
        <CheckMark isFilled={isReady} />I am ready
      </button>
    </Form>
  );
}

export const CheckMark = ({ isFilled }: { isFilled: boolean }) => (
  <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true">
    <circle
      cx="12"
      cy="12"
      r="10"
      fill={isFilled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="2"
    />
    <path
      d="m7.5 12.4 3 3 6-6.4"
      fill="none"
      stroke={isFilled ? "var(--paper)" : "currentColor"}
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
