// "2 of 3 ready" on the button that starts a session, once the whole roster has loaded.
import { useLive } from "./live-context";

export function ReadyCount() {
  const { participants, count } = useLive("room");
  if (count === 0 || participants.length < count) return null;
  return `${participants.filter(({ isReady }) => isReady).length} of ${count} ready`;
}
