// The rules of a deployment's configuration, and those of the repository.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readConfigs } from "./deploy.mjs";
import { pendingMigrations, problemsOf } from "./deployment.mjs";
import { ROOT } from "./processes.mjs";

const complete = {
  d1_databases: [{ binding: "DB", database_id: "7b162190-cb3e-4d7b-a862-9f5a69e36a62" }],
  durable_objects: {
    bindings: [
      { name: "ROOMS", class_name: "SessionRoom", script_name: "hut" },
      { name: "COUNTERS", class_name: "AttemptCounter", script_name: "hut" },
    ],
  },
  r2_buckets: [
    { binding: "UPLOADS", bucket_name: "hut-uploads" },
    { binding: "COPIES", bucket_name: "hut-copies" },
  ],
  assets: { binding: "ASSETS" },
  send_email: [{ name: "MAIL" }],
  queues: {
    producers: [{ binding: "JOBS", queue: "jobs" }],
    consumers: [{ queue: "jobs", dead_letter_queue: "jobs-dead" }, { queue: "jobs-dead" }],
  },
  compatibility_date: "2026-11-02",
  compatibility_flags: ["nodejs_compat"],
  workers_dev: false,
  preview_urls: false,
  routes: [{ pattern: "hut.cabins.dev", custom_domain: true }],
  triggers: { crons: ["* * * * *", "*/5 * * * *", "17 3 * * *"] },
  observability: { enabled: true },
  vars: {
    APP_NAME: "A hut",
    APP_ORIGIN: "https://hut.cabins.dev",
    MAIL_FROM: "hello@cabins.dev",
    LOCAL_RUN: "",
    RATE_LIMITS: "on",
    EDGE_CACHE: "on",
    PER_PAGE: "12",
    ROOM_CAPACITY: "5000",
    MAIL_DAILY_LIMIT: "1000",
    ALERT_MAIL: "warden@cabins.dev",
  },
};
const local = { ...complete, d1_databases: [{ binding: "DB", database_id: "local" }] };
const objects = {
  name: "hut",
  d1_databases: complete.d1_databases,
  durable_objects: { bindings: [{ name: "ROOMS", class_name: "SessionRoom" }] },
  migrations: [{ tag: "v1", new_sqlite_classes: ["SessionRoom", "AttemptCounter"] }],
  compatibility_date: "2026-11-02",
  compatibility_flags: ["nodejs_compat"],
  workers_dev: false,
  preview_urls: false,
  r2_buckets: [{ binding: "COPIES", bucket_name: "hut-copies" }],
  queues: { producers: [], consumers: [] },
  triggers: {},
  observability: { enabled: true },
  vars: { LOCAL_RUN: "", RATE_LIMITS: "on" },
};
const SECRETS = ["DATA_KEY", "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
const given = {
  env: "production",
  deployed: complete,
  others: { local },
  objects: { deployed: objects, local: objects },
  secrets: SECRETS,
  pending: [] as string[],
};
const problems = (over: object) => problemsOf({ ...given, willMigrate: false, ...over }) as string[];
const withVars = (vars: object) => ({ deployed: { ...complete, vars: { ...complete.vars, ...vars } } });

test("a complete configuration has no problem", () => {
  expect(problems({})).toEqual([]);
});

describe("a problem names", () => {
  test.each([["REPLACE_WITH_D1_DATABASE_ID"], ["00000000-0000-0000-0000-000000000001"], [""]])(
    "the database id %j",
    (id) => {
      const d1_databases = [{ binding: "DB", database_id: id }];
      const deployed = { ...complete, d1_databases };
      const both = { local: objects, deployed: { ...objects, d1_databases } };
      expect(problems({ deployed, objects: both })).toEqual([
        expect.stringContaining("database_id is not set"),
      ]);
    },
  );

  test.each([
    "",
    "http://hut.cabins.dev",
    "https://hut.cabins.dev/",
    "https://hut.cabins.dev/app",
    "https://bothy.example",
    "hut.cabins.dev",
  ])("the origin %j", (origin) => {
    expect(problems(withVars({ APP_ORIGIN: origin }))).toEqual([expect.stringContaining("APP_ORIGIN")]);
  });

  test.each(["", "hello", "hello@bothy.example", "hello@example.com", "A <a@cabins.dev>"])(
    "the sender %j",
    (from) => {
      expect(problems(withVars({ MAIL_FROM: from }))).toEqual([expect.stringContaining("MAIL_FROM")]);
    },
  );

  test.each([
    [{ LOCAL_RUN: "yes" }, "LOCAL_RUN"],
    [{ RATE_LIMITS: "off" }, "RATE_LIMITS"],
    [{ EDGE_CACHE: undefined }, "EDGE_CACHE"],
    [{ PER_PAGE: "0" }, "PER_PAGE"],
    [{ ROOM_CAPACITY: undefined }, "ROOM_CAPACITY"],
    [{ MAIL_DAILY_LIMIT: "many" }, "MAIL_DAILY_LIMIT"],
    [{ APP_NAME: "" }, "APP_NAME"],
    [{ ALERT_MAIL: "" }, "ALERT_MAIL"],
  ])("the setting of %j", (vars, name) => {
    expect(problems(withVars(vars))).toEqual([expect.stringContaining(name)]);
  });

  test.each([
    [{ r2_buckets: complete.r2_buckets.slice(1) }, "UPLOADS"],
    [{ queues: { ...complete.queues, producers: [] } }, "JOBS"],
    [{ queues: { ...complete.queues, consumers: [] } }, "no consumer"],
    [{ durable_objects: { bindings: complete.durable_objects.bindings.slice(0, 1) } }, "COUNTERS"],
    [{ triggers: { crons: ["* * * * *", "*/5 * * * *"] } }, "17 3 * * *"],
    [{ observability: undefined }, "[observability]"],
  ])("the missing settings of %j", (over, name) => {
    expect(problems({ deployed: { ...complete, ...over } })).toEqual([expect.stringContaining(name)]);
  });

  test.each([
    [{ d1_databases: [{ binding: "DB", database_id: "another" }] }, "database_id"],
    [{ r2_buckets: [{ binding: "COPIES", bucket_name: "other-copies" }] }, "r2_buckets"],
    [{ durable_objects: { bindings: [] } }, "ROOMS"],
    [{ observability: undefined }, "[observability]"],
    [{ vars: { ...objects.vars, LOCAL_RUN: "yes" } }, "LOCAL_RUN"],
    [{ vars: { ...objects.vars, RATE_LIMITS: "off" } }, "RATE_LIMITS"],
  ])("%j of the worker of the Durable Objects", (over, name) => {
    const [problem, ...others] = problems({
      objects: { local: objects, deployed: { ...objects, ...over } },
    });
    expect(problem).toMatch(/^workers\/objects\.toml: /);
    expect(problem).toContain(name);
    expect(others).toEqual([]);
  });

  test("each binding to objects of another worker", () => {
    const deployed = { ...objects, name: "hut-2" };
    expect(problems({ objects: { local: objects, deployed } })).toEqual([
      expect.stringContaining("The binding ROOMS of wrangler.toml"),
      expect.stringContaining("The binding COUNTERS of wrangler.toml"),
    ]);
  });

  const practice = withVars({ PRACTICE_PAYMENTS: "yes" });

  test("B-20 each missing secret, unless the site asks for practice payments and no key is set", () => {
    const [key = "", stripe = "", ...others] = SECRETS;
    expect(problems({ secrets: [key, ...others] })).toEqual([expect.stringContaining(stripe)]);
    expect(problems({ secrets: [] })).toHaveLength(4);
    expect(problems({ secrets: [key], ...practice })).toEqual([]);
    expect(problems({ secrets: [key, ...others], ...practice })).toHaveLength(1);
  });

  test("N-32 the missing mail, unless the secrets hold an SMTP server", () => {
    const deployed = { ...complete, send_email: [] };
    expect(problems({ deployed })).toEqual([
      "Neither the send_email binding MAIL nor the secret SMTP_URL is set, so no email could leave.",
    ]);
    expect(problems({ deployed, secrets: [...SECRETS, "SMTP_URL"] })).toEqual([]);
    expect(problems({ deployed, secrets: null })).toEqual([]);
  });

  test("N-39 a part of the keys of web push, and not their absence", () => {
    const [one = "", two = "", three = ""] = ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"];
    expect(problems({ secrets: [...SECRETS, one] })).toEqual([
      expect.stringContaining(two),
      expect.stringContaining(three),
    ]);
    expect(problems({ secrets: [...SECRETS, one, two, three] })).toEqual([]);
  });

  test("Q-36 a missing DATA_KEY, with practice payments too", () => {
    const secrets = SECRETS.slice(1);
    expect(problems({ secrets })).toEqual([expect.stringContaining("DATA_KEY")]);
    expect(problems({ secrets: [], ...practice })).toEqual([expect.stringContaining("DATA_KEY")]);
    expect(problems({ secrets: null, ...practice })).toEqual([]);
  });

  test("each pending migration, unless the deployment will apply it", () => {
    const pending = pendingMigrations(
      "│ Name │\n│ 0022_repeats.sql │\n│ 0023_bytes-of-a-row.sql │\n0022_repeats.sql",
    );
    expect(pending).toEqual(["0022_repeats.sql", "0023_bytes-of-a-row.sql"]);
    expect(problems({ pending })).toEqual([expect.stringContaining("0023_bytes-of-a-row.sql")]);
    expect(problems({ pending, willMigrate: true })).toEqual([]);
    expect(pendingMigrations("✅ No migrations to apply!")).toEqual([]);
  });
});

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

/** Copies of both files, filled in, with one change after `[env.production]` (or before it). */
async function brokenCopy(file = WEB, from = "", to = "", part: "production" | "top" = "production") {
  const copy = mkdtempSync(join(folder, "copy-"));
  mkdirSync(join(copy, "workers"));
  cpSync(join(ROOT, "db/migrations"), join(copy, "db/migrations"), { recursive: true });
  for (const name of [WEB, OBJECTS]) {
    let text = readFileSync(join(ROOT, name), "utf8");
    for (const [placeholder, value] of OWN) text = text.replaceAll(placeholder, value);
    const [top = "", rest = ""] = text.split(/^(?=\[env\.production\])/m);
    const [production = "", staging = ""] = rest.split(/^(?=\[env\.staging\])/m);
    const parts = {
      top,
      production: production.replace('ALERT_MAIL = ""', 'ALERT_MAIL = "warden@cabins.dev"'),
      // Staging has a database of its own.
      staging: staging.replaceAll("7b162190", "8c273201"),
    };
    if (name === file && from !== "") {
      expect(parts[part]).toContain(from);
      parts[part] = parts[part].replace(from, to);
    }
    writeFileSync(join(copy, name), Object.values(parts).join(""));
  }
  const configs = await readConfigs("production", copy);
  return problemsOf({ ...configs, secrets: SECRETS, pending: [], willMigrate: true }) as string[];
}

test("deploy:check finds no fault in the repository's files once each deployment's own values are set", async () => {
  expect(await brokenCopy()).toEqual([]);
});

const DEAD_CONSUMER = `[[env.production.queues.consumers]]
queue = "bothy-jobs-dead"
max_batch_size = 10
max_batch_timeout = 30
`;

test.each<[fault: string, named: string, ...change: [string, string, string, "top"?]]>([
  ["no custom domain", "No route of [env.production]", WEB, "routes = [", "# routes = ["],
  ["a route of another host", "No route of [env.production]", WEB, '"hut.cabins.dev"', '"old.cabins.dev"'],
  [
    "workers.dev",
    "workers_dev is not false in wrangler.toml",
    WEB,
    "workers_dev = false",
    "workers_dev = true",
  ],
  ["addresses of uploads", "preview_urls is not false in wrangler.toml", WEB, "preview_urls = false\n", ""],
  [
    "an address of the objects",
    "preview_urls is not false in workers/objects.toml",
    OBJECTS,
    "preview_urls = false\n",
    "",
  ],
  [
    "another date in one file",
    "compatibility_date is 2026-11-02 in wrangler.toml and 2026-10-01",
    OBJECTS,
    'compatibility_date = "2026-11-02"',
    'compatibility_date = "2026-10-01"',
    "top",
  ],
  ["another flag in one file", "compatibility_flags are", WEB, '"no_web_socket_compression"', "", "top"],
  [
    "a class without a migration",
    "The class AttemptCounter is bound, and no migration",
    OBJECTS,
    ', "AttemptCounter"',
    "",
  ],
  ["no dead-letter queue", "has no dead_letter_queue", WEB, 'dead_letter_queue = "bothy-jobs-dead"\n', ""],
  [
    "a dead-letter queue that nobody reads",
    "dead-letter queue bothy-jobs-dead has no consumer",
    WEB,
    DEAD_CONSUMER,
    "",
  ],
  ["the rate limits of a local run", "namespace_id 1001 is that of local", WEB, '"1002"', '"1001"'],
  ["the rate limits of staging", "namespace_id 1003 is that of [env.staging]", WEB, '"1002"', '"1003"'],
  [
    "the database of staging",
    "database_id is that of [env.staging]",
    WEB,
    "7b162190-cb3e-4d7b-a862-9f5a69e36a62",
    "8c273201-cb3e-4d7b-a862-9f5a69e36a62",
  ],
  ["nobody who hears of failures", "ALERT_MAIL is not your address", WEB, '"warden@cabins.dev"', '""'],
])("deploy:check names %s", async (_, named, ...change) => {
  const found = await brokenCopy(...change);
  expect(found.filter((problem) => problem.includes(named))).toHaveLength(1);
});

test("staging is production with names, limits and payments of its own", async () => {
  const { deployed: production, objects } = await readConfigs("production");
  const { deployed: staging, objects: stagingObjects } = await readConfigs("staging");
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
  expect(alike(renamed(staging))).toEqual(alike(renamed(production)));
  expect(alike(renamed(stagingObjects.deployed))).toEqual(alike(renamed(objects.deployed)));
});

test("the configuration lacks only the values that each deployment has of its own", async () => {
  expect(problems(await readConfigs("production"))).toEqual([
    expect.stringContaining("database_id"),
    expect.stringContaining("APP_ORIGIN"),
    expect.stringContaining("ALERT_MAIL"),
    expect.stringContaining("MAIL_FROM"),
  ]);
});
