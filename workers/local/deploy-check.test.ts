// The configuration files of the repository, and the sentences of deploy:check about changed copies of them.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfigs } from "./deploy.mjs";
import { problemsOf, warningsOf } from "./deployment.mjs";
import { ROOT } from "./processes.mjs";

const SECRETS = ["DATA_KEY", "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];

/** The repository's files with the values that each deployment has of its own. */
const OWN: [string, string][] = [
  ["REPLACE_WITH_D1_DATABASE_ID", "7b162190-cb3e-4d7b-a862-9f5a69e36a62"],
  ["staging.bothy.example", "staging.cabins.dev"],
  ["https://bothy.example", "https://hut.cabins.dev"],
  ['pattern = "bothy.example"', 'pattern = "hut.cabins.dev"'],
  ["hello@bothy.example", "hello@cabins.dev"],
];
const WEB = "wrangler.toml";
const OBJECTS = "workers/objects.toml";
const folder = mkdtempSync(join(tmpdir(), "bothy-configs-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Part = "top" | "production" | "staging";
/** A text of a file, with its replacement: in the part of the environment, or in the part that it names. */
type Change = [file: string, from: string, to: string, part?: Part];

/** Copies of both files, filled in, with these changes; answers every sentence about this environment. */
async function sentencesAbout(env: "production" | "staging", changes: Change[] = []) {
  const copy = mkdtempSync(join(folder, "copy-"));
  mkdirSync(join(copy, "workers"));
  cpSync(join(ROOT, "db/migrations"), join(copy, "db/migrations"), { recursive: true });
  for (const name of [WEB, OBJECTS]) {
    let text = readFileSync(join(ROOT, name), "utf8");
    for (const [placeholder, value] of OWN) text = text.replaceAll(placeholder, value);
    text = text.replaceAll('ALERT_MAIL = ""', 'ALERT_MAIL = "warden@cabins.dev"');
    const [top = "", rest = ""] = text.split(/^(?=\[env\.production\])/m);
    const [production = "", staging = ""] = rest.split(/^(?=\[env\.staging\])/m);
    // Staging has a database of its own.
    const parts = { top, production, staging: staging.replaceAll("7b162190", "8c273201") };
    for (const [file, from, to, part = env] of changes) {
      if (file !== name) continue;
      expect(parts[part]).toContain(from);
      parts[part] = parts[part].replaceAll(from, to);
    }
    writeFileSync(join(copy, name), Object.values(parts).join(""));
  }
  const configs = await readConfigs(env, copy);
  const found = problemsOf({ ...configs, secrets: SECRETS, pending: [], willMigrate: true });
  return [...found, ...warningsOf(configs)] as string[];
}

test.each(["production", "staging"] as const)(
  "deploy:check finds no fault in %s of the repository's files once each deployment's own values are set",
  async (env) => {
    expect(await sentencesAbout(env)).toEqual([]);
  },
);

const block = (...lines: string[]) => `${lines.join("\n")}\n`;
const DEAD_CONSUMER = block(
  "[[env.production.queues.consumers]]",
  'queue = "bothy-jobs-dead"',
  "max_batch_size = 10",
  "max_batch_timeout = 30",
);
const COUNTERS = block(
  "[[env.production.durable_objects.bindings]]",
  'name = "COUNTERS"',
  'class_name = "AttemptCounter"',
  'script_name = "bothy"',
);
const KEY_WRITES = block(
  "[[env.production.ratelimits]]",
  'name = "KEY_WRITES"',
  'namespace_id = "1022"',
  "simple = { limit = 60, period = 60 }",
);
const OWN_DATABASE = "7b162190-cb3e-4d7b-a862-9f5a69e36a62";
const STAGING_DATABASE = "8c273201-cb3e-4d7b-a862-9f5a69e36a62";
const ROUTE = 'routes = [{ pattern = "hut.cabins.dev", custom_domain = true }]';
const NO_ROUTE =
  'No route of [env.production] covers the host of APP_ORIGIN. Add routes = [{ pattern = "hut.cabins.dev", custom_domain = true }].';
const shared = (what: string, env: "production" | "staging", other: string) =>
  `${what} of [env.${env}] is that of ${other} as well; each needs its own.`;
const secret = (name: string, file: string) =>
  `${name} is a secret. Delete it from the vars of ${file}, and run \`npm run wrangler -- secret put ${name} --env production\` with a new value.`;
const LOG = "[observability.logs]\nenabled = true\nhead_sampling_rate = 1";

test.each<[fault: string, says: string, env: "production" | "staging", ...changes: Change[]]>([
  // Two environments.
  [
    "a staging with the pages' name of production",
    shared("The worker's name bothy-web", "staging", "[env.production]"),
    "staging",
    [WEB, 'name = "bothy-web-staging"', 'name = "bothy-web"'],
  ],
  [
    "a staging with the rooms' name of production",
    shared("The worker's name bothy", "staging", "[env.production]"),
    "staging",
    [OBJECTS, '\nname = "bothy-staging"', '\nname = "bothy"'],
    [WEB, 'script_name = "bothy-staging"', 'script_name = "bothy"'],
  ],
  [
    "a staging whose pages replace the rooms of production",
    shared("The worker's name bothy", "staging", "[env.production]"),
    "staging",
    [WEB, 'name = "bothy-web-staging"', 'name = "bothy"'],
  ],
  [
    "the database of staging",
    shared(`The database_id ${STAGING_DATABASE}`, "production", "[env.staging]"),
    "production",
    [WEB, OWN_DATABASE, STAGING_DATABASE],
    [OBJECTS, OWN_DATABASE, STAGING_DATABASE],
  ],
  [
    "a staging with the database of production",
    shared(`The database_id ${OWN_DATABASE}`, "staging", "[env.production]"),
    "staging",
    [WEB, STAGING_DATABASE, OWN_DATABASE],
    [OBJECTS, STAGING_DATABASE, OWN_DATABASE],
  ],
  [
    "a staging with the database's name of production",
    shared("The database_name bothy", "staging", "[env.production]"),
    "staging",
    [WEB, 'database_name = "bothy-staging"', 'database_name = "bothy"'],
  ],
  [
    "a staging with the images of production",
    shared("The bucket bothy-uploads", "staging", "[env.production]"),
    "staging",
    [WEB, "bothy-staging-uploads", "bothy-uploads"],
  ],
  [
    "a staging with the chat copies of production",
    shared("The bucket bothy-copies", "staging", "[env.production]"),
    "staging",
    [WEB, "bothy-staging-copies", "bothy-copies"],
    [OBJECTS, "bothy-staging-copies", "bothy-copies"],
  ],
  [
    "a staging with the jobs of production",
    shared("The queue bothy-jobs", "staging", "[env.production]"),
    "staging",
    [WEB, '"bothy-staging-jobs"', '"bothy-jobs"'],
  ],
  [
    "a staging with the dead letters of production",
    shared("The queue bothy-jobs-dead", "staging", "[env.production]"),
    "staging",
    [WEB, "bothy-staging-jobs-dead", "bothy-jobs-dead"],
  ],
  [
    "the rate limits of staging",
    shared("The rate-limit namespace_id 1003", "production", "[env.staging]"),
    "production",
    [WEB, '"1002"', '"1003"'],
  ],
  [
    "the rate limits of a local run",
    shared("The rate-limit namespace_id 1001", "production", "local"),
    "production",
    [WEB, '"1002"', '"1001"'],
  ],
  [
    "a staging with the host of production",
    shared("The host hut.cabins.dev", "staging", "[env.production]"),
    "staging",
    [WEB, "staging.cabins.dev", "hut.cabins.dev"],
  ],
  // One environment.
  [
    "two workers of one name",
    "Both workers of [env.production] are called bothy, so the second would replace the first.",
    "production",
    [WEB, 'name = "bothy-web"', 'name = "bothy"'],
  ],
  [
    "images and chat in one bucket",
    "UPLOADS and COPIES of [env.production] are the bucket bothy-copies, so anybody could read the chat.",
    "production",
    [WEB, "bothy-uploads", "bothy-copies"],
  ],
  [
    "a namespace for two limits",
    "The rate-limit namespace_id 1012 of [env.production] counts for two bindings.",
    "production",
    [WEB, '"1022"', '"1012"'],
  ],
  [
    "no limit of writing keys",
    "The binding KEY_WRITES is missing under [env.production].",
    "production",
    [WEB, KEY_WRITES, ""],
  ],
  [
    "no counters",
    "The binding COUNTERS is missing under [env.production].",
    "production",
    [WEB, COUNTERS, ""],
  ],
  [
    "rooms of another worker",
    "workers/objects.toml: The binding ROOMS of wrangler.toml does not name this worker as script_name.",
    "production",
    [
      WEB,
      'class_name = "SessionRoom"\nscript_name = "bothy"',
      'class_name = "SessionRoom"\nscript_name = "rooms"',
    ],
  ],
  [
    "a database that is not set",
    "database_id is not set. Run `npm run wrangler -- d1 create bothy` and put the id into wrangler.toml under [[env.production.d1_databases]].",
    "production",
    [WEB, OWN_DATABASE, "bothy"],
    [OBJECTS, OWN_DATABASE, "bothy"],
  ],
  [
    "rooms with another database",
    "workers/objects.toml: Its database_id is not that of wrangler.toml, so rooms would not find their sessions.",
    "production",
    [OBJECTS, OWN_DATABASE, "9d384312-cb3e-4d7b-a862-9f5a69e36a62"],
  ],
  [
    "rooms with another bucket",
    "workers/objects.toml: Its r2_buckets are not those of wrangler.toml, so backups would not find the chat.",
    "production",
    [OBJECTS, "bothy-copies", "other-copies"],
  ],
  [
    "a class without a migration",
    "workers/objects.toml: The class AttemptCounter is bound, and no migration names it in new_sqlite_classes.",
    "production",
    [OBJECTS, ', "AttemptCounter"', ""],
  ],
  [
    "no migrations of the database",
    "The migrations_dir db/migration does not exist.",
    "production",
    [WEB, '"db/migrations"', '"db/migration"'],
  ],
  [
    "other static files",
    "The directory of [env.production.assets] is not build/client, which the build fills.",
    "production",
    [WEB, "./build/client", "./public"],
  ],
  // Addresses.
  ["no route", NO_ROUTE, "production", [WEB, ROUTE, ""]],
  [
    "a route of another host",
    NO_ROUTE,
    "production",
    [WEB, 'pattern = "hut.cabins.dev"', 'pattern = "old.cabins.dev"'],
  ],
  ["a route of a few paths", NO_ROUTE, "production", [WEB, ROUTE, 'routes = ["hut.cabins.dev/api/*"]']],
  ["a route of the first page", NO_ROUTE, "production", [WEB, ROUTE, 'routes = ["hut.cabins.dev"]']],
  [
    "workers.dev",
    "workers_dev is not false in wrangler.toml, so the worker would have a second address.",
    "production",
    [WEB, "workers_dev = false", "workers_dev = true"],
  ],
  [
    "addresses of uploads",
    "preview_urls is not false in wrangler.toml, so the worker would have a second address.",
    "production",
    [WEB, "preview_urls = false\n", ""],
  ],
  [
    "an address of the objects",
    "workers/objects.toml: preview_urls is not false in workers/objects.toml, so the worker would have a second address.",
    "production",
    [OBJECTS, "preview_urls = false\n", ""],
  ],
  // Secrets in public.
  [
    "a key among the variables",
    secret("DATA_KEY", WEB),
    "production",
    [WEB, 'LOCAL_RUN = ""', 'LOCAL_RUN = ""\nDATA_KEY = "c2VjcmV0"'],
  ],
  [
    "a mail server among the variables of the rooms",
    `workers/objects.toml: ${secret("SMTP_URL", OBJECTS)}`,
    "production",
    [OBJECTS, 'LOCAL_RUN = ""', 'LOCAL_RUN = ""\nSMTP_URL = "smtp://a:b@mail"'],
  ],
  // The runtime.
  [
    "a date of tomorrow",
    "compatibility_date 2026-12-24 is later than 2026-11-02, that of the pinned workerd.",
    "production",
    [WEB, "2026-11-02", "2026-12-24", "top"],
    [OBJECTS, "2026-11-02", "2026-12-24", "top"],
  ],
  [
    "another date in one file",
    "compatibility_date is 2026-11-02 in wrangler.toml and 2026-10-01 in workers/objects.toml.",
    "production",
    [OBJECTS, "2026-11-02", "2026-10-01", "top"],
  ],
  [
    "another flag in one file",
    "compatibility_flags are  in wrangler.toml and no_web_socket_compression in workers/objects.toml.",
    "production",
    [WEB, '"no_web_socket_compression"', "", "top"],
  ],
  // Jobs and the log.
  [
    "no nightly jobs",
    'The cron trigger "17 3 * * *" is missing under [env.production.triggers].',
    "production",
    [WEB, ', "17 3 * * *"', ""],
  ],
  [
    "a cron without jobs",
    'The cron trigger "0 9 * * 1" has no jobs; workers/cron.ts names those that have.',
    "production",
    [WEB, '"17 3 * * *"', '"17 3 * * *", "0 9 * * 1"'],
  ],
  [
    "no dead-letter queue",
    "The queue bothy-jobs has no dead_letter_queue, so failed messages would vanish.",
    "production",
    [WEB, 'dead_letter_queue = "bothy-jobs-dead"\n', ""],
  ],
  [
    "a dead-letter queue that nobody reads",
    "The dead-letter queue bothy-jobs-dead has no consumer under [env.production], or a name without -dead at its end.",
    "production",
    [WEB, DEAD_CONSUMER, ""],
  ],
  [
    "no log",
    "[observability] is off, so nobody could read the log.",
    "production",
    [WEB, "[observability]\nenabled = true", "[observability]\nenabled = false", "top"],
  ],
  [
    "a log without lines",
    "[observability] is off, so nobody could read the log.",
    "production",
    [WEB, LOG, LOG.replace("true", "false"), "top"],
  ],
  [
    "a log of no request",
    "workers/objects.toml: [observability] has a head_sampling_rate of 0, so nobody could read the log.",
    "production",
    [OBJECTS, LOG, LOG.replace("rate = 1", "rate = 0"), "top"],
  ],
  // Settings.
  [
    "the address of the repository",
    "APP_ORIGIN is not your public address, such as https://bothy.example.org (no path, no slash).",
    "production",
    [WEB, "https://hut.cabins.dev", "https://bothy.example"],
  ],
  [
    "nobody who hears of failures",
    "ALERT_MAIL is not your address, so nobody would hear of failing jobs.",
    "production",
    [WEB, "warden@cabins.dev", ""],
  ],
  [
    "no protection of the rooms",
    'workers/objects.toml: RATE_LIMITS must be "on" in a deployment.',
    "production",
    [OBJECTS, 'RATE_LIMITS = "on"', 'RATE_LIMITS = "off"'],
  ],
  [
    "demo cards",
    "PRACTICE_PAYMENTS is yes in production, so people buy tokens with demo cards.",
    "production",
    [WEB, 'PRACTICE_PAYMENTS = ""', 'PRACTICE_PAYMENTS = "yes"'],
  ],
  [
    "rooms of five people",
    "ROOM_CAPACITY is 5, far below the usual 5000.",
    "production",
    [WEB, 'ROOM_CAPACITY = "5000"', 'ROOM_CAPACITY = "5"'],
  ],
  [
    "a day of ten emails",
    "MAIL_DAILY_LIMIT is 10, far below the usual 1000.",
    "production",
    [WEB, 'MAIL_DAILY_LIMIT = "1000"', 'MAIL_DAILY_LIMIT = "10"'],
  ],
  [
    "three calls a minute",
    "KEY_READS is 3, far below the usual 300.",
    "production",
    [WEB, "limit = 300,", "limit = 3,"],
  ],
])("deploy:check says one sentence about %s", async (_, says, env, ...changes) => {
  expect(await sentencesAbout(env, changes)).toEqual([says]);
});

test.each<[fault: string, says: RegExp, file: string, from: string, to: string]>([
  ["wrangler.toml that is no TOML", /^wrangler\.toml:\d+: /, WEB, 'APP_NAME = "Bothy"', 'APP_NAME = "Bothy'],
  [
    "workers/objects.toml that is no TOML",
    /^workers\/objects\.toml:\d+: /,
    OBJECTS,
    'database_name = "bothy"',
    'database_name = bothy"',
  ],
  [
    "a missing environment",
    /^\[env\.production\] is missing in wrangler\.toml\.$/,
    WEB,
    "[env.production",
    "[env.other",
  ],
])("deploy:check says one sentence about %s", async (_, says, file, from, to) => {
  const error = await sentencesAbout("production", [[file, from, to]]).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toMatch(says);
  expect((error as Error).message).not.toContain("\n");
});

test("staging is production with names, limits and payments of its own", async () => {
  const { pages, objects } = await readConfigs("production");
  const { pages: stagingPages, objects: stagingObjects } = await readConfigs("staging");
  const renamed = (config: object) =>
    JSON.parse(
      JSON.stringify(config)
        .replaceAll("bothy-staging", "bothy")
        .replaceAll("bothy-web-staging", "bothy-web")
        .replaceAll("staging.bothy.example", "bothy.example")
        .replaceAll(/"(?<place>10\d)3"/g, '"$<place>2"'),
    );
  const own = { MAIL_DAILY_LIMIT: "", PRACTICE_PAYMENTS: "" };
  const alike = ({ vars, ...config }: { vars: object }) => ({
    ...config,
    targetEnvironment: "",
    vars: { ...vars, ...own },
  });
  expect(alike(renamed(stagingPages.deployed))).toEqual(alike(renamed(pages.deployed)));
  expect(alike(renamed(stagingObjects.deployed))).toEqual(alike(renamed(objects.deployed)));
});

test("the configuration lacks only the values that each deployment has of its own", async () => {
  const configs = await readConfigs("production");
  expect(problemsOf({ ...configs, secrets: SECRETS, pending: [], willMigrate: false })).toEqual([
    expect.stringContaining("database_id"),
    expect.stringContaining("APP_ORIGIN"),
    expect.stringContaining("ALERT_MAIL"),
    expect.stringContaining("MAIL_FROM"),
  ]);
});
