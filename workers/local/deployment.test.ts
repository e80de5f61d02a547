// The rules of a deployment's configuration, and those of the repository.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { pendingMigrations, problemsOf } from "./deployment.mjs";

const complete = {
  d1_databases: [{ binding: "DB", database_id: "7b162190-cb3e-4d7b-a862-9f5a69e36a62" }],
  durable_objects: {
    bindings: [
      { name: "ROOMS", script_name: "hut" },
      { name: "COUNTERS", script_name: "hut" },
    ],
  },
  r2_buckets: [
    { binding: "UPLOADS", bucket_name: "hut-uploads" },
    { binding: "COPIES", bucket_name: "hut-copies" },
  ],
  assets: { binding: "ASSETS" },
  send_email: [{ name: "MAIL" }],
  queues: { producers: [{ binding: "JOBS", queue: "jobs" }], consumers: [{ queue: "jobs" }] },
  triggers: { crons: ["* * * * *", "*/5 * * * *", "17 3 * * *"] },
  observability: { enabled: true },
  vars: {
    APP_NAME: "A hut",
    APP_ORIGIN: "https://hut.cabins.dev",
    MAIL_FROM: "hello@cabins.dev",
    LOCAL_RUN: "",
    RATE_LIMITS: "on",
    PER_PAGE: "12",
    ROOM_CAPACITY: "5000",
    MAIL_DAILY_LIMIT: "1000",
  },
};
const objects = {
  name: "hut",
  d1_databases: complete.d1_databases,
  durable_objects: { bindings: [{ name: "ROOMS" }] },
  r2_buckets: [{ binding: "COPIES", bucket_name: "hut-copies" }],
  queues: { producers: [], consumers: [] },
  triggers: {},
  observability: { enabled: true },
  vars: { LOCAL_RUN: "", RATE_LIMITS: "on" },
};
const SECRETS = ["DATA_KEY", "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
const given = {
  production: complete,
  local: complete,
  objects: { production: objects, local: objects },
  secrets: SECRETS,
  pending: [] as string[],
};
const problems = (over: object) =>
  problemsOf({ ...given, isPractice: false, willMigrate: false, ...over }) as string[];
const withVars = (vars: object) => ({ production: { ...complete, vars: { ...complete.vars, ...vars } } });

test("a complete configuration has no problem", () => {
  expect(problems({})).toEqual([]);
});

describe("a problem names", () => {
  test.each([["REPLACE_WITH_D1_DATABASE_ID"], ["00000000-0000-0000-0000-000000000001"], [""]])(
    "the database id %j",
    (id) => {
      const d1_databases = [{ binding: "DB", database_id: id }];
      const production = { ...complete, d1_databases };
      const both = { local: objects, production: { ...objects, d1_databases } };
      expect(problems({ production, objects: both })).toEqual([
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
    [{ PER_PAGE: "0" }, "PER_PAGE"],
    [{ ROOM_CAPACITY: undefined }, "ROOM_CAPACITY"],
    [{ MAIL_DAILY_LIMIT: "many" }, "MAIL_DAILY_LIMIT"],
    [{ APP_NAME: "" }, "APP_NAME"],
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
    expect(problems({ production: { ...complete, ...over } })).toEqual([expect.stringContaining(name)]);
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
      objects: { local: objects, production: { ...objects, ...over } },
    });
    expect(problem).toMatch(/^workers\/objects\.toml: /);
    expect(problem).toContain(name);
    expect(others).toEqual([]);
  });

  test("each binding to objects of another worker", () => {
    const production = { ...objects, name: "hut-2" };
    expect(problems({ objects: { local: objects, production } })).toEqual([
      expect.stringContaining("The binding ROOMS of wrangler.toml"),
      expect.stringContaining("The binding COUNTERS of wrangler.toml"),
    ]);
  });

  test("each missing secret, unless practice payments are allowed and no secret is set", () => {
    const [key = "", stripe = "", ...others] = SECRETS;
    expect(problems({ secrets: [key, ...others] })).toEqual([expect.stringContaining(stripe)]);
    expect(problems({ secrets: [] })).toHaveLength(4);
    expect(problems({ secrets: [key], isPractice: true })).toEqual([]);
    expect(problems({ secrets: [key, ...others], isPractice: true })).toHaveLength(1);
  });

  test("N-32 the missing mail, unless the secrets hold an SMTP server", () => {
    const production = { ...complete, send_email: [] };
    expect(problems({ production })).toEqual([
      "Neither the send_email binding MAIL nor the secret SMTP_URL is set, so no email could leave.",
    ]);
    expect(problems({ production, secrets: [...SECRETS, "SMTP_URL"] })).toEqual([]);
    expect(problems({ production, secrets: null })).toEqual([]);
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
    expect(problems({ secrets: [], isPractice: true })).toEqual([expect.stringContaining("DATA_KEY")]);
    expect(problems({ secrets: null, isPractice: true })).toEqual([]);
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

test("the configuration lacks only the three values that each deployment has of its own", () => {
  const both = (path: string) => {
    const config = join(import.meta.dirname, "../..", path);
    return { production: readConfig({ config, env: "production" }), local: readConfig({ config }) };
  };
  const found = problems({ ...both("wrangler.toml"), objects: both("workers/objects.toml") });
  expect(found).toEqual([
    expect.stringContaining("database_id"),
    expect.stringContaining("APP_ORIGIN"),
    expect.stringContaining("MAIL_FROM"),
  ]);
});
