// The times of the pings that the platform answers without waking the room. It is a port, which tests replace.
import { type Instant, instant } from "~/domain/time";

export const pings = {
  /** The last ping of this socket; null: it has sent none. */
  lastOf(ctx: DurableObjectState, socket: WebSocket): Instant | null {
    const at = ctx.getWebSocketAutoResponseTimestamp(socket);
    return at === null ? null : instant(at.getTime());
  },
};
