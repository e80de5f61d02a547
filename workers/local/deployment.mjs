// Finds the problems of a deployment's configuration, each as a sentence. The functions are pure; deploy.mjs reads the
// configuration.
import { bucketOf, databaseOf, identityProblems, sharedProblems } from "./environments.mjs";

const DATA_KEY = "DATA_KEY";
const VAPID = ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"];
const STRIPE = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
const EMAIL = /^[^\s@<>]+@([\w-]+\.)+[a-z]{2,63}$/i;
/** Domains that are reserved for examples. */
const EXAMPLE_DOMAIN = /\.(example|invalid|test|localhost)$|^example\.(com|net|org)$/i;
const PAGES_FILE = "wrangler.toml";
const OBJECTS_FILE = "workers/objects.toml";
const SECRETS = [DATA_KEY, ...VAPID, ...STRIPE, "SMTP_URL"];
/** The folder that `npm run build` fills with the static files. */
const STATIC_FILES = "build/client";
/** The usual values of the settings that are limits. */
const USUAL_LIMITS = { PER_PAGE: 12, ROOM_CAPACITY: 5000, MAIL_DAILY_LIMIT: 1000 };
/** A value this many times below the usual looks like a mistake. */
const SUSPICIOUS_FACTOR = 10;

/** The files of the migrations that the output of `wrangler d1 migrations list` names as not applied. */
export const pendingMigrations = (output) => [...new Set(output.match(/\b\d{4}_[\w-]+\.sql\b/g) ?? [])];

/**
 * `pages` and `objects` are wrangler's configurations of both workers: `deployed` that of the environment `env`, `others`
 * those of the local run and of the other environments. `missing` are the folders that wrangler.toml names and that do not
 * exist, `runtimeDate` is the date of the pinned workerd. `secrets` are the names that the deployed worker has (null:
 * unknown), `pending` the migrations that its database lacks; `willMigrate` allows pending migrations.
 */
export function problemsOf({
  env,
  pages,
  objects,
  missing = [],
  runtimeDate,
  secrets,
  pending,
  willMigrate,
}) {
  const { deployed, others } = pages;
  return [
    ...identityProblems({ env, pages: deployed, objects: objects.deployed }),
    ...sharedProblems({ env, pages, objects }),
    ...bindingProblems(deployed, others.local, env),
    ...folderProblems(deployed, missing, env),
    ...queueProblems(deployed, env),
    ...extraAddressProblems(deployed, PAGES_FILE),
    ...routeProblems(deployed, env),
    ...settingProblems(deployed.vars),
    ...objectsProblems(objects, deployed, env),
    ...classProblems(deployed, objects.deployed),
    ...runtimeProblems(deployed, objects.deployed, runtimeDate),
    ...mailProblems(deployed, secrets),
    ...varProblems(deployed.vars, PAGES_FILE, env),
    ...secretProblems(secrets, deployed.vars, env),
    ...(willMigrate || pending.length === 0
      ? []
      : [`These migrations are not applied: ${pending.join(", ")}. \`npm run deploy\` applies them.`]),
  ];
}

/** Warnings about values that may be intended, for a person to see before deploying. */
export function warningsOf({ env, pages: { deployed, others } }) {
  const isPractice = env === "production" && deployed.vars.PRACTICE_PAYMENTS === "yes";
  const ratesOf = ({ ratelimits = [] }) =>
    new Map(ratelimits.map(({ name, simple }) => [name, simple.limit]));
  const usual = { ...USUAL_LIMITS, ...Object.fromEntries(ratesOf(others.local)) };
  const actual = { ...deployed.vars, ...Object.fromEntries(ratesOf(deployed)) };
  return [
    ...(isPractice ? ["PRACTICE_PAYMENTS is yes in production, so people buy tokens with demo cards."] : []),
    ...Object.entries(usual)
      .filter(([name, value]) => Number(actual[name]) < value / SUSPICIOUS_FACTOR)
      .map(([name, value]) => `${name} is ${actual[name]}, far below the usual ${value}.`),
  ];
}

/** A deployment needs every binding and cron trigger of the local run, and must keep its log. */
function bindingProblems(deployed, local, env) {
  const bindings = (config) => [
    ...config.durable_objects.bindings.map(({ name }) => name),
    ...(config.ratelimits ?? []).map(({ name }) => name),
    ...config.r2_buckets.map(({ binding }) => binding),
    ...config.queues.producers.map(({ binding }) => binding),
    ...(config.assets?.binding ? [config.assets.binding] : []),
  ];
  const missing = bindings(local).filter((name) => !bindings(deployed).includes(name));
  const [usual, actual] = [local, deployed].map(({ triggers }) => triggers.crons ?? []);
  const unset = usual.filter((cron) => !actual.includes(cron));
  const unknown = actual.filter((cron) => !usual.includes(cron));
  return [
    ...missing.map((name) => `The binding ${name} is missing under [env.${env}].`),
    ...unset.map((cron) => `The cron trigger "${cron}" is missing under [env.${env}.triggers].`),
    ...unknown.map(
      (cron) => `The cron trigger "${cron}" has no jobs; workers/cron.ts names those that have.`,
    ),
    ...logProblems(deployed.observability),
  ];
}

/** The log must not be sampled to nothing, because an attack may be a single line. */
function logProblems(observability) {
  const { enabled = false, head_sampling_rate: rate = 1, logs } = observability ?? {};
  if (!enabled || logs?.enabled === false) return ["[observability] is off, so nobody could read the log."];
  return rate === 0 || logs?.head_sampling_rate === 0
    ? ["[observability] has a head_sampling_rate of 0, so nobody could read the log."]
    : [];
}

function folderProblems({ assets }, missing, env) {
  const directory = assets?.directory?.replace(/^\.\//, "").replace(/\/$/, "");
  return [
    ...(directory === STATIC_FILES
      ? []
      : [`The directory of [env.${env}.assets] is not ${STATIC_FILES}, which the build fills.`]),
    ...missing.map((folder) => `The migrations_dir ${folder} does not exist.`),
  ];
}

/** Each queue needs a consumer, and a dead-letter queue that has a consumer too. */
function queueProblems({ queues: { producers, consumers } }, env) {
  const isRead = (queue) => consumers.some((consumer) => consumer.queue === queue);
  return producers.flatMap(({ queue }) => {
    if (!isRead(queue)) return [`The queue ${queue} has no consumer under [env.${env}].`];
    const dead = consumers.find((consumer) => consumer.queue === queue)?.dead_letter_queue;
    if (!dead) return [`The queue ${queue} has no dead_letter_queue, so failed messages would vanish.`];
    return isRead(dead) && dead.endsWith("-dead")
      ? []
      : [
          `The dead-letter queue ${dead} has no consumer under [env.${env}], or a name without -dead at its end.`,
        ];
  });
}

/** The site may have only the address of its route, and the worker of the objects none. */
const extraAddressProblems = (config, file) =>
  ["workers_dev", "preview_urls"]
    .filter((name) => config[name] !== false)
    .map((name) => `${name} is not false in ${file}, so the worker would have a second address.`);

/** Whether a route of Cloudflare gets every path of the host: a custom domain, or a pattern with wildcards. */
function covers(route, host) {
  const { pattern, custom_domain: isDomain = false } = typeof route === "string" ? { pattern: route } : route;
  if (isDomain) return pattern === host;
  const parts = pattern.replace(/^https?:\/\//, "").split("*");
  return ["", "any/path"].every((path) => matchesParts(`${host}/${path}`, parts));
}

/** Whether a text has these literal parts in order, with any text between two of them. */
function matchesParts(text, [first, ...rest]) {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let position = first.length;
  for (const part of rest) {
    const partStart = text.indexOf(part, position);
    if (partStart < 0) return false;
    position = partStart + part.length;
  }
  return position <= end;
}

function routeProblems({ routes = [], route, vars }, env) {
  const origin = String(vars.APP_ORIGIN ?? "");
  if (!isOwnOrigin(origin)) return [];
  const { host } = new URL(origin);
  return [...routes, ...(route ? [route] : [])].some((candidate) => covers(candidate, host))
    ? []
    : [
        `No route of [env.${env}] covers the host of APP_ORIGIN. Add routes = [{ pattern = "${host}", custom_domain = true }].`,
      ];
}

/** The worker of the Durable Objects needs the same data and the same protection as the worker of the pages. */
function objectsProblems({ deployed, others }, pages, env) {
  const hasScript = ({ script_name }) => script_name === deployed.name;
  return [
    ...(databaseOf(deployed) === databaseOf(pages)
      ? []
      : ["Its database_id is not that of wrangler.toml, so rooms would not find their sessions."]),
    ...(bucketOf(deployed, "COPIES") === bucketOf(pages, "COPIES")
      ? []
      : ["Its r2_buckets are not those of wrangler.toml, so backups would not find the chat."]),
    ...pages.durable_objects.bindings
      .filter((binding) => !hasScript(binding))
      .map(({ name }) => `The binding ${name} of wrangler.toml does not name this worker as script_name.`),
    ...bindingProblems(deployed, others.local, env),
    ...extraAddressProblems(deployed, OBJECTS_FILE),
    ...protectionProblems(deployed.vars),
    ...varProblems(deployed.vars, OBJECTS_FILE, env),
  ].map((problem) => `${OBJECTS_FILE}: ${problem}`);
}

/** Each bound class needs a migration, because a class without one has no storage. */
function classProblems(pages, objects) {
  const migrated = new Set(objects.migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes));
  const bound = [...pages.durable_objects.bindings, ...objects.durable_objects.bindings];
  const missing = [...new Set(bound.map(({ class_name }) => class_name))].filter(
    (name) => !migrated.has(name),
  );
  return missing.map(
    (name) => `${OBJECTS_FILE}: The class ${name} is bound, and no migration names it in new_sqlite_classes.`,
  );
}

/** Both workers need the same compatibility settings, because calls between them would cross platform behaviours. */
function runtimeProblems(pages, objects, runtimeDate) {
  const flagsOf = ({ compatibility_flags: flags = [] }) => flags.toSorted().join(", ");
  return [
    ...(pages.compatibility_date === objects.compatibility_date
      ? []
      : [
          `compatibility_date is ${pages.compatibility_date} in ${PAGES_FILE} and ${objects.compatibility_date} in ${OBJECTS_FILE}.`,
        ]),
    // Dates in this form sort as text.
    ...(runtimeDate && pages.compatibility_date > runtimeDate
      ? [
          `compatibility_date ${pages.compatibility_date} is later than ${runtimeDate}, that of the pinned workerd.`,
        ]
      : []),
    ...(flagsOf(pages) === flagsOf(objects)
      ? []
      : [
          `compatibility_flags are ${flagsOf(pages)} in ${PAGES_FILE} and ${flagsOf(objects)} in ${OBJECTS_FILE}.`,
        ]),
  ];
}

/** A deployment must not switch its limits off. */
function protectionProblems(vars) {
  return [
    ...(vars.LOCAL_RUN ? ["LOCAL_RUN must be empty in a deployment."] : []),
    ...(vars.RATE_LIMITS === "on" ? [] : ['RATE_LIMITS must be "on" in a deployment.']),
  ];
}

const numberProblems = (vars, names) =>
  names
    .filter((name) => !/^[1-9]\d*$/.test(String(vars[name] ?? "")))
    .map((name) => `${name} is not a whole number above 0.`);

function settingProblems(vars) {
  const problems = [];
  if (!isOwnOrigin(String(vars.APP_ORIGIN ?? "")))
    problems.push(
      "APP_ORIGIN is not your public address, such as https://bothy.example.org (no path, no slash).",
    );
  if (!vars.APP_NAME) problems.push("APP_NAME is empty.");
  if (!["on", "off"].includes(vars.EDGE_CACHE)) problems.push("EDGE_CACHE is neither on nor off.");
  if (!isMeetingBase(String(vars.MEETING_BASE ?? "")))
    problems.push(
      "MEETING_BASE is not an https address without a query, such as https://meet.example.org, nor empty.",
    );
  problems.push(
    ...protectionProblems(vars),
    ...numberProblems(vars, ["PER_PAGE", "ROOM_CAPACITY", "MAIL_DAILY_LIMIT"]),
  );
  if (!isOwnEmail(String(vars.ALERT_MAIL ?? "")))
    problems.push("ALERT_MAIL is not your address, so nobody would hear of failing jobs.");
  return problems;
}

/** An empty setting is valid: hosts then type their meeting links. */
const isMeetingBase = (text) =>
  text === "" || (text.length <= 400 && /^https:\/\/[^\s?#@]+$/.test(text) && URL.canParse(text));

function isOwnOrigin(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, hostname } = new URL(text);
  return protocol === "https:" && origin === text && !EXAMPLE_DOMAIN.test(hostname);
}

const isOwnEmail = (text) => EMAIL.test(text) && !EXAMPLE_DOMAIN.test(text.split("@").at(-1) ?? "");

/** Without a binding, the mail server is a secret, so nothing is reported while the secrets are unknown. */
function mailProblems({ vars, send_email }, secrets) {
  return [
    ...(isOwnEmail(String(vars.MAIL_FROM ?? ""))
      ? []
      : ["MAIL_FROM is not an address of a domain of yours that may send email."]),
    ...(send_email.some(({ name }) => name === "MAIL") || secrets === null || secrets.includes("SMTP_URL")
      ? []
      : ["Neither the send_email binding MAIL nor the secret SMTP_URL is set, so no email could leave."]),
  ];
}

/** A secret must not be a variable, which is readable in the dashboard and in the repository. */
const varProblems = (vars, file, env) =>
  SECRETS.filter((name) => name in vars).map(
    (name) =>
      `${name} is a secret. Delete it from the vars of ${file}, and run \`npm run wrangler -- secret put ${name} --env ${env}\` with a new value.`,
  );

/** Practice payments need no Stripe key, unless one is set, which then needs the others. */
function secretProblems(secrets, vars, env) {
  if (secrets === null) return [];
  const hasNoStripe = STRIPE.every((name) => !secrets.includes(name));
  const isPractice = vars.PRACTICE_PAYMENTS === "yes";
  // Push is optional, but needs all of its keys.
  const push = VAPID.some((name) => secrets.includes(name)) ? VAPID : [];
  const required = [DATA_KEY, ...push, ...(isPractice && hasNoStripe ? [] : STRIPE)];
  return required
    .filter((name) => !secrets.includes(name))
    .map(
      (name) => `The secret ${name} is not set. Run \`npm run wrangler -- secret put ${name} --env ${env}\`.`,
    );
}
