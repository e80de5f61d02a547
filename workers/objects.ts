// The entry of the worker of the Durable Objects (decision 89). It has no public address, and answers every request 404.

export { AttemptCounter } from "./attempts/attempt-counter";
export { SessionRoom } from "./room/session-room";

export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler;
