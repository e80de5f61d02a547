// The store of a live room: one subscription, one notification for each event.
import { expect, test, vi } from "vitest";
import type { Operation } from "~/wire/room/room";
import { RoomClient, type RoomEvents } from "./client";
import { NOW, room } from "./fixtures";
import { RoomStore } from "./store";

function live() {
  let events: RoomEvents | undefined;
  const store = new RoomStore();
  const client = new RoomClient({
    username: "ada",
    initial: room,
    ticket: null,
    connect: (given) => {
      events = given;
      return { send: () => {}, close: () => {}, reconnect: () => {}, isOpen: () => true };
    },
    now: () => NOW,
    makeNonce: () => "n",
    onRefused: () => {},
  });
  store.set(client);
  const hear = (...operations: Operation[]) => events?.onMessage(JSON.stringify(operations));
  return { store, client, hear };
}
const said = (seq: number): Operation => ({
  type: "message",
  seq,
  nonce: `n${seq}`,
  message: {
    seq,
    username: "ben",
    content: `Line ${seq}`,
    created_at: new Date(NOW).toISOString(),
    nonce: `n${seq}`,
    edited_at: null,
    is_removed: 0,
  },
});

test("L-03 a frame with several operations causes one notification with all of them", () => {
  const { store, client, hear } = live();
  const render = vi.fn();
  const stop = store.subscribe(render);
  hear(said(1), said(2), { type: "online", online: ["ben"], offline: [] });
  expect(render).toHaveBeenCalledTimes(1);
  expect(store.get()?.messages.map((line) => line.content)).toEqual(["Line 1", "Line 2"]);
  expect(store.get()?.online).toEqual(["ben"]);
  hear(said(3));
  expect(render).toHaveBeenCalledTimes(2);
  // Between events the snapshot is the same object, so React does not render again.
  expect(store.get()).toBe(store.get());
  stop();
  hear(said(4));
  expect(render).toHaveBeenCalledTimes(2);
  client.close();
});
