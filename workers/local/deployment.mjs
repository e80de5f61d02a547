// Finds the problems of a deployment's configuration, as sentences. Pure: deploy.mjs reads the configuration.

const DATA_KEY = "DATA_KEY";
const VAPID = ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"];
const STRIPE = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const NO_UUID = /^[0-]+\d$/;
const ADDRESS = /^[^\s@<>]+@([\w-]+\.)+[a-z]{2,63}$/i;
/** Domains reserved for examples. */
const EXAMPLE = /\.(example|invalid|test|localhost)$|^example\.(com|net|org)$/i;

/** The file of each migration that wrangler's list names as not applied. */
export const pendingMigrations = (listed) => [...new Set(listed.match(/\b\d{4}_[\w-]+\.sql\b/g) ?? [])];

/**
 * `production` and `local` are wrangler's configuration with and without the environment, `objects` both of the worker
 * of the Durable Objects. `secrets` are the names that the deployed worker has (null: unknown), `pending` the
 * migrations that its database lacks. `isPractice` allows no Stripe keys, `willMigrate` allows pending migrations.
 */
export function problemsOf({ production, local, objects, secrets, pending, isPractice, willMigrate }) {
  return [
    ...databaseProblems(production),
    ...bindingProblems(production, local),
    ...settingProblems(production.vars),
    ...objectsProblems(objects, production),
    ...mailProblems(production, secrets),
    ...secretProblems(secrets, isPractice),
    ...(willMigrate || pending.length === 0
      ? []
      : [`These migrations are not applied: ${pending.join(", ")}. \`npm run deploy\` applies them.`]),
  ];
}

const databaseOf = ({ d1_databases }) =>
  d1_databases.find(({ binding }) => binding === "DB")?.database_id ?? "";

function databaseProblems(production) {
  const id = databaseOf(production);
  if (UUID.test(id) && !NO_UUID.test(id)) return [];
  return [
    "database_id is not set. Run `npm run wrangler -- d1 create bothy` and put the id into wrangler.toml.",
  ];
}

/** Every binding and cron trigger of a local run, and the log. */
function bindingProblems(production, local) {
  const bindings = (config) => [
    ...config.durable_objects.bindings.map(({ name }) => name),
    ...(config.ratelimits ?? []).map(({ name }) => name),
    ...config.r2_buckets.map(({ binding }) => binding),
    ...config.queues.producers.map(({ binding }) => binding),
    ...(config.assets?.binding ? [config.assets.binding] : []),
  ];
  const missing = bindings(local).filter((name) => !bindings(production).includes(name));
  const unset = (local.triggers.crons ?? []).filter(
    (cron) => !(production.triggers.crons ?? []).includes(cron),
  );
  const unread = production.queues.producers.filter(
    ({ queue }) => !production.queues.consumers.some((consumer) => consumer.queue === queue),
  );
  return [
    ...unread.map(({ queue }) => `The queue ${queue} has no consumer under [env.production].`),
    ...missing.map((name) => `The binding ${name} is missing under [env.production].`),
    ...unset.map((cron) => `The cron trigger "${cron}" is missing under [env.production.triggers].`),
    ...(production.observability?.enabled ? [] : ["[observability] is off, so nobody could read the log."]),
  ];
}

/** The worker of the Durable Objects has the same data and the same protection as the pages. */
function objectsProblems({ production, local }, pages) {
  const buckets = (config) =>
    config.r2_buckets.map(({ binding, bucket_name }) => `${binding} ${bucket_name}`);
  const others = pages.durable_objects.bindings.filter(({ script_name }) => script_name !== production.name);
  return [
    ...(databaseOf(production) === databaseOf(pages)
      ? []
      : ["Its database_id is not that of wrangler.toml, so rooms would not find their sessions."]),
    ...(buckets(production).every((bucket) => buckets(pages).includes(bucket))
      ? []
      : ["Its r2_buckets are not those of wrangler.toml, so backups would not find the chat."]),
    ...others.map(
      ({ name }) => `The binding ${name} of wrangler.toml does not name this worker as script_name.`,
    ),
    ...bindingProblems(production, local),
    ...protectionProblems(production.vars),
  ].map((problem) => `workers/objects.toml: ${problem}`);
}

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
  problems.push(
    ...protectionProblems(vars),
    ...numberProblems(vars, ["PER_PAGE", "ROOM_CAPACITY", "MAIL_DAILY_LIMIT"]),
  );
  return problems;
}

function isOwnOrigin(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, hostname } = new URL(text);
  return protocol === "https:" && origin === text && !EXAMPLE.test(hostname);
}

/** The secrets may hold an SMTP server; as long as they are unknown, nothing is missing. */
function mailProblems({ vars, send_email }, secrets) {
  const from = String(vars.MAIL_FROM ?? "");
  const domain = from.split("@").at(-1) ?? "";
  return [
    ...(ADDRESS.test(from) && !EXAMPLE.test(domain)
      ? []
      : ["MAIL_FROM is not an address of a domain of yours that may send email."]),
    ...(send_email.some(({ name }) => name === "MAIL") || secrets === null || secrets.includes("SMTP_URL")
      ? []
      : ["Neither the send_email binding MAIL nor the secret SMTP_URL is set, so no email could leave."]),
  ];
}

function secretProblems(secrets, isPractice) {
  if (secrets === null) return [];
  const hasNoStripe = STRIPE.every((name) => !secrets.includes(name));
  // Push is optional, and whole or not at all.
  const push = VAPID.some((name) => secrets.includes(name)) ? VAPID : [];
  const needed = [DATA_KEY, ...push, ...(isPractice && hasNoStripe ? [] : STRIPE)];
  return needed
    .filter((name) => !secrets.includes(name))
    .map(
      (name) =>
        `The secret ${name} is not set. Run \`npm run wrangler -- secret put ${name} --env production\`.`,
    );
}
