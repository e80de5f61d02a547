// The settings of the worker of pages and calls, parsed once per isolate. A missing or wrong one is a sentence that names
// it, at /api/health and in the log.
import { z } from "zod";
import { logLine } from "~/domain/log-line";
import type { Env } from "./env";

const text = z.string("is not set").min(1, "is not set");
const wholeNumber = text.regex(/^[1-9]\d*$/, "is not a whole number above 0").transform(Number);
const binding = z.custom<object>((value) => value !== undefined && value !== null, "is not bound");

/** A local run has no origin of its own: it answers at that of the request. */
const isOrigin = (value: string) =>
  value === "" || (URL.canParse(value) && new URL(value).origin === value && value.startsWith("http"));

/** Its rooms must fit into a meeting link, and its query would end in the middle of one. */
const isMeetingBase = (value: string) =>
  value.length <= 400 && /^https:\/\/[^\s?#@]+$/.test(value) && URL.canParse(value);
const MEETING_BASE_SENTENCE = "is not an https address without a query";

const Settings = z
  .object({
    DB: binding,
    ROOMS: binding,
    COUNTERS: binding,
    UPLOADS: binding,
    COPIES: binding,
    APP_NAME: text,
    PER_PAGE: wholeNumber,
    ROOM_CAPACITY: wholeNumber,
    APP_ORIGIN: z.string("is not set").refine(isOrigin, "is not an address without a path"),
    LOCAL_RUN: z.enum(["yes", ""], "is neither yes nor empty").optional(),
    RATE_LIMITS: z.enum(["on", "off"], "is neither on nor off"),
    EDGE_CACHE: z.enum(["on", "off"], "is neither on nor off"),
    MAIL_FROM: text,
    MAIL_DAILY_LIMIT: z
      .literal("")
      .transform(() => undefined)
      .or(wholeNumber)
      .optional(),
    PRACTICE_PAYMENTS: z.enum(["yes", ""], "is neither yes nor empty").optional(),
    MEETING_BASE: z.literal("").or(z.string().refine(isMeetingBase, MEETING_BASE_SENTENCE)).optional(),
    ALERT_MAIL: z.literal("").or(z.email("is not an email address")).optional(),
  })
  .refine(({ APP_ORIGIN, LOCAL_RUN }) => APP_ORIGIN !== "" || LOCAL_RUN === "yes", {
    path: ["APP_ORIGIN"],
    error: "is not set",
  });

export type Settings = z.output<typeof Settings>;
type Parsed = { settings: Settings; problems: null } | { settings: null; problems: string[] };

const parsed = new WeakMap<object, Parsed>();

type ConfigurationLine = { event: "configuration-incomplete"; problems: string[] };

/** The settings, or a sentence for each one that is missing or wrong; the first call of an isolate logs them. */
export function readSettings(env: Env): Parsed {
  const cachedSettings = parsed.get(env);
  if (cachedSettings) return cachedSettings;
  const { data, error } = Settings.safeParse(env);
  const settings: Parsed = data
    ? { settings: data, problems: null }
    : {
        settings: null,
        problems: error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`),
      };
  if (settings.problems) {
    const line: ConfigurationLine = { event: "configuration-incomplete", problems: settings.problems };
    console.error(logLine(line));
  }
  parsed.set(env, settings);
  return settings;
}

/** Throws with the sentences, which cron and the queue log. */
export function settingsOf(env: Env): Settings {
  const { settings, problems } = readSettings(env);
  if (settings) return settings;
  throw new Error(`The configuration is incomplete: ${problems.join(" ")}`);
}
