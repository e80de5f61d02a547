// The rules of a deployment's configuration.
import { describe, expect, test } from "vitest";
import { pendingMigrations, problemsOf } from "./deployment.mjs";

const complete = {
  name: "hut-web",
  d1_databases: [
    { binding: "DB", database_name: "hut", database_id: "7b162190-cb3e-4d7b-a862-9f5a69e36a62" },
  ],
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
  assets: { binding: "ASSETS", directory: "./build/client" },
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
const localObjects = { ...objects, d1_databases: local.d1_databases };
const SECRETS = ["DATA_KEY", "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
const given = {
  env: "production",
  pages: { deployed: complete, others: { local } },
  objects: { deployed: objects, others: { local: localObjects } },
  runtimeDate: "2026-11-02",
  secrets: SECRETS,
  pending: [] as string[],
};
const problems = (over: object) => problemsOf({ ...given, willMigrate: false, ...over }) as string[];
const withPages = (over: object) => ({ pages: { deployed: { ...complete, ...over }, others: { local } } });
const withVars = (vars: object) => withPages({ vars: { ...complete.vars, ...vars } });

test("a complete configuration has no problem", () => {
  expect(problems({})).toEqual([]);
});

describe("a problem names", () => {
  test.each([["REPLACE_WITH_D1_DATABASE_ID"], ["00000000-0000-0000-0000-000000000001"], [""]])(
    "the database id %j",
    (id) => {
      const d1_databases = [{ binding: "DB", database_id: id }];
      const both = { others: { local: localObjects }, deployed: { ...objects, d1_databases } };
      expect(problems({ ...withPages({ d1_databases }), objects: both })).toEqual([
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
    [{ MEETING_BASE: "http://meet.cabins.dev" }, "MEETING_BASE"],
    [{ MEETING_BASE: "https://meet.cabins.dev/?room=" }, "MEETING_BASE"],
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
    expect(problems(withPages(over))).toEqual([expect.stringContaining(name)]);
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
      objects: { others: { local: localObjects }, deployed: { ...objects, ...over } },
    });
    expect(problem).toMatch(/^workers\/objects\.toml: /);
    expect(problem).toContain(name);
    expect(others).toEqual([]);
  });

  test("each binding to objects of another worker", () => {
    const deployed = { ...objects, name: "hut-2" };
    expect(problems({ objects: { others: { local: localObjects }, deployed } })).toEqual([
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
    const without = withPages({ send_email: [] });
    expect(problems(without)).toEqual([
      "Neither the send_email binding MAIL nor the secret SMTP_URL is set, so no email could leave.",
    ]);
    expect(problems({ ...without, secrets: [...SECRETS, "SMTP_URL"] })).toEqual([]);
    expect(problems({ ...without, secrets: null })).toEqual([]);
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
