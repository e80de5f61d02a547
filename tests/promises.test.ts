// Sentences of the product that promise something, each with the test of the state after it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PROMISES_SOMETHING =
  /\b(?:is|are|was|were|not) returned\b|\btokens? back\b|\bstays? private\b|\bnobody can\b|\byou may (?!act|expect)|\bwill be\b|\b(?:is|are) kept\b(?! out of this session)|\bstays? as\b|\bnever (?:expire|change)\b|\bstay with\b|\byou keep it\b|, and it stays\b/i;

/** Where a token or a record is, after the sentence: a part of the sentence, and the title of its test. */
const PROVEN: readonly (readonly [sentence: string, test: string])[] = [
  // Accounts
  [
    "You will be signed out everywhere else.",
    "X-10 changing the password ends every other login and renews the current login",
  ],
  [
    "Everywhere you are signed in, you will be signed out.",
    "C-13 M-05 the emailed link sets a new password and ends every login",
  ],
  [
    "Your account will be deleted on",
    "X-17 a deletion needs the password and ends every login, and signing in within the grace period cancels it",
  ],
  [
    "account will be deleted`",
    "X-17 a deletion needs the password and ends every login, and signing in within the grace period cancels it",
  ],
  [
    "The address of the account stays as it is.",
    "Q-06 the link to the old address works for 7 days, and no other account can take that address meanwhile",
  ],
  [
    "stays as it is.",
    "N-29 N-30 a notice's email has both parts, a main link, a footer and the headers of one-click unsubscribing",
  ],
  // Money
  ["never expire", "C-19 C-20 B-04 B-20 a practice card buys 10 tokens that never expire"],
  [
    "balance stays as it is.",
    "B-12 a refund takes the unspent part of the lot and records the rest as owed, once",
  ],
  [
    "Your token was returned.",
    "B-14 B-09 N-21 a token is in the account when its notice says so, also when its lot has expired meanwhile",
  ],
  [
    "Your tokens were returned.",
    "R-87 the rows of %s keep what their cells promise when %s, and nothing else changes",
  ],
  [
    "You get the token back.",
    "R-64 leaving an hour before the start returns the token, a minute later it does not",
  ],
  [
    "The token is not returned, because",
    "R-64 leaving an hour before the start returns the token, a minute later it does not",
  ],
  // Goals
  ["stay as they were.", "R-79 a higher target, or another repetition, leaves the days before it done"],
  ["and its notes will be deleted too.", "E-25 deleting logs, goals and notes keeps order and totals right"],
  // Huts
  [
    "the tokens are returned.",
    "R-87 the rows of %s keep what their cells promise when %s, and nothing else changes",
  ],
  [
    "tokens are returned.",
    "R-87 the rows of %s keep what their cells promise when %s, and nothing else changes",
  ],
  [
    "They stay private",
    "Q-25 Q-27 C-70 a session of a private activity is not public after the activity's hut was deleted",
  ],
  [
    "They are kept out of this hut.",
    "Q-16 a ban ends the membership and refuses the hut, its forum and its sessions, until it is lifted",
  ],
  [
    "They are cancelled, and everybody who paid gets their token back:",
    "R-56 leaving a private hut cancels the sessions that the person hosts ahead, and a running one goes on",
  ],
  // Sessions and series
  [
    "are cancelled, and everybody who paid gets their token back.",
    "G-10 another rule keeps the days that it names, and cancels the others with refunds, once",
  ],
  [
    "} cancelled, and everybody who paid gets their token back.",
    "G-12 ending a series cancels its unstarted sessions with refunds, once",
  ],
  [
    "Its session is cancelled, and everybody who paid gets their token back.",
    "G-11 a day is skipped before and after its layout, and its session is cancelled with refunds",
  ],
  ["Logs are kept.", "R-07 C-56 A-03 a super admin resets it to status 0, and logs stay"],
  [
    "It will be deleted for everybody, and everybody who paid gets their token back.",
    "R-15 B-14 C-53 before the start every join is refunded, once, and the slug is free again",
  ],
  [
    "Logs stay with the people who made them.",
    "R-15 never while it runs; after the end its logs stay and nothing is refunded",
  ],
  [
    "Everybody who paid gets their token back. This cannot be undone.",
    "B-14 C-74 ending at status 0 refunds every join to its payer, once",
  ],
  [
    "Everybody who paid for a seat has the token back.",
    "B-14 C-74 ending at status 0 refunds every join to its payer, once",
  ],
  [
    "the session is cancelled and everybody gets their token back.",
    "G-31 without a host or admin by 15 minutes after the start the session is cancelled, and each payer is paid back",
  ],
  [
    "you may give it up,",
    "G-16 R-64 a start moved by more than 15 minutes asks the holders: they keep the seat, or give it up for its token",
  ],
  [
    "and its token is returned. Without an answer you keep it.",
    "G-16 R-64 a start moved by more than 15 minutes asks the holders: they keep the seat, or give it up for its token",
  ],
  [
    "You may give up your seat until an hour before, and its token is returned.",
    "G-16 R-64 a start moved by more than 15 minutes asks the holders: they keep the seat, or give it up for its token",
  ],
  [
    "You may give up your seat, and its token is returned.",
    "G-16 R-65 a reset that takes the start away asks the holders too",
  ],
  [
    "You may wait again with that code.",
    "G-18 a waiter joins without the code a second time, and the lists of closed sessions are deleted",
  ],
  ["You may switch it on again.", "R-55 a person who got the host role switches free joining on again"],
  // Limits and records
  [
    "Entries are kept for 730 days and never change.",
    "Q-29 an audit row cannot be changed, and cannot be deleted within 730 days",
  ],
  ["You may upload 100 MB of images in 24 hours.", "D-06 an account uploads at most 100 MB"],
  [
    "You may invite ten people a day.",
    "ten people a day, over all subjects, and a person who is not found does not count",
  ],
];

const textsIn = (folder: string, name: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path) && !path.includes("styleguide"))
    .map((path) => [path, readFileSync(join(ROOT, folder, path), "utf8")] as const);

/** Each line of the product's own words that promises something; names in code are no words. */
const promising = textsIn("app", /^(?!wire).*(?<!\.test)\.tsx?$/).flatMap(([path, text]) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !/^(\/\/|\*|\/\*|\{\/\*|import )/.test(line))
    .map((line) => line.replace(/\s\/\/ .*/, ""))
    .filter((line) => PROMISES_SOMETHING.test(line) && /[A-Za-z,.]+ [a-z]+/.test(line))
    .map((line) => `${path}: ${line}`),
);

test("B-14 R-87 every sentence that promises something has a test of what it promises", () => {
  expect(promising.length).toBeGreaterThan(30);
  expect(promising.filter((line) => !PROVEN.some(([sentence]) => line.includes(sentence)))).toEqual([]);
});

test("B-14 R-87 every promise that has a test is still a sentence of the product", () => {
  const said = promising.join("\n");
  expect(PROVEN.map(([sentence]) => sentence).filter((sentence) => !said.includes(sentence))).toEqual([]);
});

test("B-14 R-87 the test of every promise exists", () => {
  const tests = ["app", "db", "tests", "workers"]
    .flatMap((folder) => textsIn(folder, /\.test\.tsx?$/))
    .filter(([path]) => path !== "promises.test.ts")
    .map(([, text]) => text)
    .join("\n");
  expect([...new Set(PROVEN.map(([, title]) => title))].filter((title) => !tests.includes(title))).toEqual(
    [],
  );
});
