// The settings of the worker of pages and calls, parsed once per isolate. For each missing or wrong setting, /api/health
// and the log have a sentence that names it.
import { z } from "zod";
import { logLine } from "~/domain/log-line";
import type { Env } from "./env";

const text = z.string("is not set").min(1, "is not set");
const wholeNumber = text.regex(/^[1-9]\d*$/, "is not a whole number above 0").transform(Number);
const binding = z.custom<object>((value) => value !== undefined && value !== null, "is not bound");

/** Empty in a local run, which uses the origin of the request. */
const isOrigin = (value: string) =>
  value === "" || (URL.canParse(value) && new URL(value).origin === value && value.startsWith("http"));

/** Short, so that a room's link fits into a meeting link, and without a query, because the room's name follows the path. */
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
type ParsedSettings = { settings: Settings; problems: null } | { settings: null; problems: string[] };

const parsedSettings = new WeakMap<object, ParsedSettings>();

type ConfigurationLine = { event: "configuration-incomplete"; problems: string[] };

/** The settings, or a sentence for each that is missing or wrong. The first call of an isolate logs the sentences. */
export function readSettings(env: Env): ParsedSettings {
  const cachedSettings = parsedSettings.get(env);
  if (cachedSettings) return cachedSettings;
  const { data, error } = Settings.safeParse(env);
  const settings: ParsedSettings = data
    ? { settings: data, problems: null }
    : {
        settings: null,
        problems: error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`),
      };
  if (settings.problems) {
    const line: ConfigurationLine = { event: "configuration-incomplete", problems: settings.problems };
    console.error(logLine(line));
  }
  parsedSettings.set(env, settings);
  return settings;
}

/** The settings. Throws with the sentences of `readSettings`, which cron and the queue log. */
export function settingsOf(env: Env): Settings {
  const { settings, problems } = readSettings(env);
  if (settings) return settings;
  throw new Error(`The configuration is incomplete: ${problems.join(" ")}`);
}
