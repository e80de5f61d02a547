// Titles and texts of the demo's huts, activities and goals.
import type { GoalDraft } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { linkedParts, type Schedule } from "~/domain/schedule/schedule";
import { seconds } from "~/domain/time";

/** Linked parts with lengths in minutes that start automatically. */
export const partsOf = (parts: readonly (readonly [title: string, minutes: number])[]): Schedule =>
  linkedParts(parts.map(([title, minutes]) => ({ title, duration: seconds(minutes * 60) })));

export const DEMO_HUTS = [
  {
    key: "hills",
    title: "Hill Folk",
    content: "Walks, runs and slow climbs. **All paces welcome**; nobody is left behind on the path.",
  },
  {
    key: "stove",
    title: "By the Stove",
    content: "Reading and writing, an hour at a time. Bring an old book.",
  },
  {
    key: "bench",
    title: "The Long Bench",
    content:
      "Quiet work next to each other: rounds of focus, short breaks, no small talk until the kettle boils.",
  },
];

const rounds = (count: number, work: number, rest: number): [string, number][] =>
  Array.from({ length: count }, (_, index): [string, number][] => [
    [`Round ${index + 1}`, work],
    ["Break", rest],
  ]).flat();

export const DEMO_ACTIVITIES: {
  key: string;
  hut: string;
  title: string;
  content: string;
  category: string | null;
  difficulty: number;
  parts: [string, number][];
}[] = [
  {
    key: "run",
    hut: "hills",
    title: "Hill intervals",
    content: "Warm up, four times up the hill, down easy. Go at *your* pace; the clock is the same for all.",
    category: "move",
    difficulty: 6,
    parts: [
      ["Warm-up", 10],
      ["Up", 4],
      ["Down", 3],
      ["Up", 4],
      ["Down", 3],
      ["Up", 4],
      ["Down", 3],
      ["Cool-down", 9],
    ],
  },
  {
    key: "read",
    hut: "stove",
    title: "Reading hour",
    content: "Read one passage, say it in your own words, talk about it.",
    category: "read",
    difficulty: 3,
    parts: [
      ["Arrive", 5],
      ["Read", 30],
      ["Write", 15],
      ["Talk", 10],
    ],
  },
  {
    key: "write",
    hut: "stove",
    title: "Morning pages",
    content: "Three pages by hand, before the day has opinions.",
    category: "write",
    difficulty: 4,
    parts: [
      ["Settle", 5],
      ["Write", 25],
      ["Share a line", 5],
    ],
  },
  {
    key: "focus",
    hut: "bench",
    title: "Focus rounds",
    content: "Four rounds of 25 minutes with short breaks. Say what you will do; do it; say what you did.",
    category: "focus",
    difficulty: 4,
    parts: rounds(4, 25, 5),
  },
  {
    key: "tidy",
    hut: "bench",
    title: "Twenty-minute tidy-up",
    content: "One room, one timer, then tea.",
    category: "home",
    difficulty: 3,
    parts: [
      ["Choose a corner", 2],
      ["Tidy", 15],
      ["Admire", 3],
    ],
  },
  {
    key: "sit",
    hut: "hills",
    title: "Sitting in silence",
    content: "Nothing to do, together.",
    category: "rest",
    difficulty: 3,
    parts: [
      ["Arrive", 3],
      ["Sit", 20],
      ["Leave gently", 2],
    ],
  },
];

type DemoGoal = {
  ownerRole: "host" | "participant";
  draft: GoalDraft;
  /** Amounts in thousandths. */
  pastLogs: { amount: number; daysAgo: number }[];
};
export const demoGoals = (): DemoGoal[] => [
  {
    ownerRole: "participant",
    draft: {
      title: "Run 100 kilometres",
      action: "Run",
      unit: "km",
      amount: 100_000,
      content: "By midsummer.",
      tags: ["outside"],
    },
    pastLogs: [
      { amount: 5000, daysAgo: 40 },
      { amount: 7500, daysAgo: 33 },
      { amount: 4000, daysAgo: 30 },
      { amount: 6000, daysAgo: 23 },
      { amount: 8000, daysAgo: 16 },
      { amount: 5000, daysAgo: 9 },
      { amount: 10_000, daysAgo: 2 },
    ],
  },
  {
    ownerRole: "participant",
    draft: {
      title: "Read twelve old books",
      action: "Read",
      unit: "books",
      amount: 12_000,
      tags: ["winter"],
    },
    pastLogs: [58, 31, 6].map((daysAgo) => ({ amount: 1000, daysAgo })),
  },
  {
    ownerRole: "participant",
    draft: {
      title: "Pack for the hut",
      isList: true,
      items: ["Matches", "Rope", "Tea", "A candle"].map((title) => ({
        uuid: crypto.randomUUID(),
        title,
        link: "",
        isChecked: false,
      })),
    },
    pastLogs: [],
  },
  {
    ownerRole: "host",
    draft: {
      title: "A page every day",
      action: "Write",
      unit: "pages",
      amount: 1000,
      content: "Any page counts. Before the post comes.",
      tags: ["morning"],
      recurrence: { every: "day" },
      quickLogButtons: [1, 2].map((pages, order) => ({
        uuid: crypto.randomUUID(),
        title: pages === 1 ? "One page" : "Two pages",
        content: "",
        action: "Write",
        amount: pages * 1000,
        distance: null,
        duration: null,
        status: LOG_STATUS.done,
        completionsRequired: 1,
        order,
      })),
      timers: [
        {
          uuid: crypto.randomUUID(),
          title: "Write and stretch",
          isInterval: true,
          sets: 3,
          timers: [
            { title: "Write", duration: seconds(1500) },
            { title: "Stretch", duration: seconds(300) },
          ],
          duration: seconds(5400),
        },
      ],
    },
    pastLogs: [24, 23, 22, 21, 19, 18, 17, 15, 14, 13, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((daysAgo) => ({
      amount: daysAgo % 5 === 0 ? 2000 : 1000,
      daysAgo,
    })),
  },
  {
    ownerRole: "host",
    draft: { title: "Mend the roof", action: "Work", unit: "hours", amount: 20_000, tags: ["hut"] },
    pastLogs: [20, 13, 12, 5].map((daysAgo) => ({ amount: 2500, daysAgo })),
  },
];
