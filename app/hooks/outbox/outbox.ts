// The outbox of this browser: logs, ticks and notes that wait for the network, in IndexedDB (W-05). Its code loads
// after the page.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { useSyncExternalStore } from "react";
import { dayAt } from "~/domain/days";
import { loadOnce } from "~/domain/load-once";
import { instant } from "~/domain/time";
import { CallError, callServer, NOT_REACHED } from "~/hooks/call-server";
import { createListeners } from "~/hooks/listeners";
import { isForeignPage, usernameOfPage } from "~/hooks/made-for";
import { toast } from "~/hooks/toasts";
import * as paths from "~/wire/paths";
import { OUTBOX } from "./door";
import { type Entry, isTooOld, type QueuedAct, sendInOrder } from "./sending";

interface Stores extends DBSchema {
  entries: { key: number; value: Omit<Entry, "id"> & { id?: number } };
}

const openDatabase = loadOnce<IDBPDatabase<Stores>>(() =>
  openDB<Stores>("outbox", 1, {
    upgrade: (db) => void db.createObjectStore("entries", { keyPath: "id", autoIncrement: true }),
  }),
);

/** The time zone of the account. */
let zone = "UTC";
/** The entries of this page's account. */
let shownEntries: readonly Entry[] = [];
const { notify, subscribe } = createListeners();
const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(OUTBOX);
if (tabs) tabs.onmessage = () => void readOutbox();

async function listOwnEntries(): Promise<Entry[]> {
  const username = usernameOfPage();
  if (username === null || isForeignPage()) return [];
  const storedEntries = (await (await openDatabase()).getAll("entries")) as Entry[];
  return storedEntries.filter((entry) => entry.by === username);
}

/** Lists the entries again, of the account that is signed in now. */
export async function readOutbox(): Promise<void> {
  const ownEntries = await listOwnEntries();
  if (ownEntries.length > 0 || shownEntries.length > 0) shownEntries = ownEntries;
  notify();
}

async function announce(): Promise<void> {
  await readOutbox();
  tabs?.postMessage("changed");
}

const noEntries: readonly Entry[] = [];

/** The entries that wait, oldest first. */
export function useOutbox(timeZone: string): readonly Entry[] {
  zone = timeZone;
  return useSyncExternalStore(
    subscribe,
    () => shownEntries,
    () => noEntries,
  );
}

const QUEUED = "There is no connection. This waits here, and is sent when the connection is back.";

export const sayOutOfReach = (): void =>
  void toast.warning("A timer needs a connection to start, pause or be done.", { id: OUTBOX });

/** Puts an act into the outbox. False where the browser cannot store it. */
export async function keepEntry({ at = Date.now(), day = dayAt(instant(at), zone), ...entry }: QueuedAct) {
  const username = usernameOfPage();
  if (username === null) return false;
  const body = entry.call === paths.storeQuickLog ? { ...entry.body, day } : entry.body;
  // Only the figures of the log, because later entries change the progress of the goal.
  const [figures = ""] = entry.words.split(", ");
  const stored = { ...entry, body, words: figures, day, by: username, refusal: null, isRefused: false };
  try {
    await (await openDatabase()).add("entries", stored);
  } catch (error) {
    console.error(error);
    toast.error(NOT_REACHED, { id: OUTBOX });
    return false;
  }
  await announce();
  toast.info(QUEUED, { id: OUTBOX });
  return true;
}

const deleteStored = ({ stored }: Entry): void => {
  if (stored !== undefined) localStorage.removeItem(stored);
};

/** It takes back nothing: an entry whose answer was lost may be stored and paid. */
export async function deleteEntries(entries: readonly Entry[]): Promise<void> {
  const db = await openDatabase();
  for (const entry of entries) {
    await db.delete("entries", entry.id);
    deleteStored(entry);
  }
  await announce();
  // A checklist on the page then shows the server's ticks again.
  document.dispatchEvent(new Event(OUTBOX));
}

/** Sends a refused entry again, with the others. */
export async function tryAgain(entry: Entry): Promise<void> {
  await (await openDatabase()).put("entries", { ...entry, refusal: null, isRefused: false });
  await announce();
}

/** Sends the waiting entries, from one tab at a time, and returns the stored ones with their answers. */
export async function sendOutbox(): Promise<{ entry: Entry; answer: unknown }[]> {
  const send = async () => {
    const db = await openDatabase();
    const today = dayAt(instant(Date.now()), zone);
    const storedAnswers = await sendInOrder({
      today,
      list: listOwnEntries,
      canSend: () => navigator.onLine && usernameOfPage() !== null && !isForeignPage(),
      async send({ call, body }) {
        try {
          return { answer: await callServer(call, { body, idempotencyKey: null }) };
        } catch (error) {
          if (!(error instanceof CallError)) throw error;
          const { code, message } = error;
          return { refusal: { code, message, isAnswered: !error.isUnanswered } };
        }
      },
      async remove(entry) {
        await db.delete("entries", entry.id);
        deleteStored(entry);
      },
      refuse: async (entry, refusal, isRefused) =>
        void (await db.put("entries", { ...entry, refusal, isRefused })),
    });
    await announce();
    return storedAnswers;
  };
  return "locks" in navigator ? navigator.locks.request(OUTBOX, send) : send();
}

/** Deletes entries of other accounts that are too old to be sent. */
export async function pruneOutbox(): Promise<void> {
  const db = await openDatabase();
  const today = dayAt(instant(Date.now()), zone);
  for (const { id, by, day } of (await db.getAll("entries")) as Entry[])
    if (by !== usernameOfPage() && isTooOld(day, today)) await db.delete("entries", id);
}
