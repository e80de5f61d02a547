// The templates of the library (H-01), each an activity that makes a whole session.
import type { ActivityInput } from "~/domain/activities/activities";
import type { GoalDraft } from "~/domain/goals/goals";
import { TOUR_IDS } from "~/domain/library";
import { intervalsDuration, type Part } from "~/domain/schedule/schedule";
import { seconds } from "~/domain/time";

const minutes = (count: number) => seconds(count * 60);
type NewPart = Partial<Omit<Part, "id">>;
const timer = (title: string, lengthMinutes: number): NewPart => ({
  title,
  duration: minutes(lengthMinutes),
});
/** A turn of this length for each participant. */
const turns = (title: string, lengthMinutes: number): NewPart => ({
  ...timer(title, lengthMinutes),
  isPerParticipant: true,
});
const rounds = (
  title: string,
  sets: number,
  intervalSeconds: readonly [name: string, seconds: number][],
): NewPart => {
  const intervals = intervalSeconds.map(([name, length]) => ({
    id: crypto.randomUUID(),
    title: name,
    duration: seconds(length),
  }));
  return { title, intervals, sets, duration: intervalsDuration(intervals, sets) };
};

export type Template = Pick<ActivityInput, "title" | "content" | "category" | "difficulty"> & {
  /** It never changes, because each installation stores it. */
  uuid: string;
  parts: NewPart[];
  goals?: GoalDraft[];
};

/** A function, because parts get random ids, which a worker can create only while it handles a request. */
export const createTemplates = (): Template[] => [
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0001",
    title: "Focus 25/5 × 4",
    content:
      "Four rounds of 25 minutes, with five minutes between them.\n\nBefore the first round, say in the chat what you will do. **What will be different when the two hours are over?** In the breaks, stand up.",
    category: "focus",
    difficulty: 4,
    parts: [
      rounds("Focus", 4, [
        ["Work", 1500],
        ["Break", 300],
      ]),
    ],
  },
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0002",
    title: "Deep work 50/10 × 2",
    content:
      "Two long rounds for work that needs a run-up.\n\nChoose one thing. Close the rest. The clock keeps the time, so you don't have to.",
    category: "focus",
    difficulty: 6,
    parts: [
      rounds("Deep work", 2, [
        ["Work", 3000],
        ["Break", 600],
      ]),
    ],
  },
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0003",
    title: "Stand-up in turns",
    content:
      "Two minutes each, one after the other, then five minutes for anything that needs more of you.\n\n- What did I finish?\n- What is next?\n- What is in my way?",
    category: "together",
    difficulty: 3,
    parts: [turns("Your two minutes", 2), timer("Anything that needs more people", 5)],
  },
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0004",
    title: "Retrospective in turns",
    content:
      "Look back before you go on. Everybody writes first, so that the first speaker does not set the tone. Then each person has three minutes. Then agree on **one** change.",
    category: "together",
    difficulty: 4,
    parts: [
      timer("Write for yourself", 5),
      turns("What helped, and what did not", 3),
      timer("Choose one change", 10),
    ],
    goals: [{ title: "Agree on one change", action: "Agree on", unit: "change", amount: 1000 }],
  },
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0005",
    title: "Reading hour",
    content:
      "Everybody brings a book, or takes a passage from the library. Read, write down a sentence that stays with you, and read it to the others if you like.",
    category: "read",
    difficulty: 3,
    parts: [timer("Arrive", 5), timer("Read", 35), timer("Write", 10), timer("Talk", 10)],
    goals: [{ title: "Read ten pages", action: "Read", unit: "pages", amount: 10_000 }],
  },
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0006",
    title: "Writing sprint",
    content:
      "Two sprints of twenty minutes. Do not stop, do not look anything up, do not go back. A line that you like is worth sharing at the end; a page that you do not like is worth having written.",
    category: "write",
    difficulty: 4,
    parts: [
      timer("Settle", 5),
      timer("Write", 20),
      timer("Breathe", 5),
      timer("Write", 20),
      timer("Share a line", 10),
    ],
    goals: [{ title: "Write 500 words", action: "Write", unit: "words", amount: 500_000 }],
  },
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0007",
    title: "Interval training",
    content:
      "Forty seconds on, twenty off, sixteen times. Choose a new exercise every four rounds, and a version of it that you can do well when you are tired. **Stop when something hurts.**",
    category: "move",
    difficulty: 6,
    parts: [
      timer("Warm up", 5),
      rounds("Intervals", 16, [
        ["Go", 40],
        ["Rest", 20],
      ]),
      timer("Cool down", 5),
    ],
  },
  {
    uuid: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0008",
    title: "Tidy up together",
    content:
      "One room, one timer, and company. Take a corner that you can finish; leave the attic for another life. Then put the kettle on and look at it.",
    category: "home",
    difficulty: 3,
    parts: [timer("Choose a corner", 2), timer("Tidy", 20), timer("Admire", 3)],
    goals: [{ title: "Finish one corner", action: "Finish", unit: "corner", amount: 1000 }],
  },
];

/** The activity that the welcome tour visits, and its session (H-02). */
export const createTourActivity = (): Template => ({
  uuid: TOUR_IDS.activity,
  title: "Challenge Hut Tour",
  content: "A small activity to look round in: follow it, open its session, see where everything is.",
  category: "together",
  difficulty: 3,
  parts: [timer("Say hello", 2), timer("Look round", 5), timer("Say goodbye", 2)],
});

export const TOUR_SESSION = {
  uuid: TOUR_IDS.session,
  title: "A first session",
  /** The id of the tour's session, unless another session has it. */
  id: 10,
} as const;
