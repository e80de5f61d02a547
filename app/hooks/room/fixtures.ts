// A live room for the tests of these hooks.
import { instant, type Seconds } from "~/domain/time";
import type { LiveRoom } from "~/wire/room/live-room";

export const NOW = instant(Date.UTC(2026, 10, 21, 9, 30));
export const room: LiveRoom = {
  seq: 0,
  title: "Morning pages",
  content: "",
  contentHtml: "",
  contributions: [],
  summary: "",
  prompt: "",
  slowMode: 0,
  mutes: [],
  isManuallyStarted: true,
  startedAt: NOW,
  endedAt: null,
  duration: 3600 as Seconds,
  schedule: { groups: [] },
  participants: [],
  count: 0,
};
