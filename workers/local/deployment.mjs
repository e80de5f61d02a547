// Finds the problems of a deployment's configuration, as sentences. Pure: deploy.mjs reads the configuration.

const DATA_KEY = "DATA_KEY";
const VAPID = ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"];
const STRIPE = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const NO_UUID = /^[0-]+\d$/;
const ADDRESS = /^[^\s@<>]+@([\w-]+\.)+[a-z]{2,63}$/i;
/** Domains reserved for examples. */
const EXAMPLE = /\.(example|invalid|test|localhost)$|^example\.(com|net|org)$/i;
const WEB = "wrangler.toml";
const OBJECTS = "workers/objects.toml";

/** The file of each migration that wrangler's list names as not applied. */
export const pendingMigrations = (listed) => [...new Set(listed.match(/\b\d{4}_[\w-]+\.sql\b/g) ?? [])];

/**
 * `deployed` is wrangler's configuration of the environment `env`, `others` those of the local run and of the other
 * environments, `objects` both of the worker of the Durable Objects. `secrets` are the names that the deployed worker
 * has (null: unknown), `pending` the migrations that its database lacks; `willMigrate` allows pending migrations.
 */
export function problemsOf({ env, deployed, others, objects, secrets, pending, willMigrate }) {
  return [
    ...databaseProblems(deployed, others, env),
    ...bindingProblems(deployed, others.local, env),
    ...queueProblems(deployed, env),
    ...addressProblems(deployed, WEB),
    ...routeProblems(deployed, env),
    ...limiterProblems(deployed, others),
    ...settingProblems(deployed.vars),
    ...objectsProblems(objects, deployed, env),
    ...classProblems(deployed, objects.deployed),
    ...runtimeProblems(deployed, objects.deployed),
    ...mailProblems(deployed, secrets),
    ...secretProblems(secrets, deployed.vars, env),
    ...(willMigrate || pending.length === 0
      ? []
      : [`These migrations are not applied: ${pending.join(", ")}. \`npm run deploy\` applies them.`]),
  ];
}

const databaseOf = ({ d1_databases }) =>
  d1_databases.find(({ binding }) => binding === "DB")?.database_id ?? "";

function databaseProblems(deployed, others, env) {
  const id = databaseOf(deployed);
  if (!UUID.test(id) || NO_UUID.test(id))
    return [
      `database_id is not set. Run \`npm run wrangler -- d1 create ${deployed.d1_databases[0]?.database_name ?? "bothy"}\` and put the id into ${WEB} under [[env.${env}.d1_databases]].`,
    ];
  const sharing = Object.entries(others).find(([, other]) => databaseOf(other) === id);
  return sharing ? [`database_id is that of ${sharing[0]} as well; each environment needs its own.`] : [];
}

/** Every binding and cron trigger of a local run, and the log. */
function bindingProblems(deployed, local, env) {
  const bindings = (config) => [
    ...config.durable_objects.bindings.map(({ name }) => name),
    ...(config.ratelimits ?? []).map(({ name }) => name),
    ...config.r2_buckets.map(({ binding }) => binding),
    ...config.queues.producers.map(({ binding }) => binding),
    ...(config.assets?.binding ? [config.assets.binding] : []),
  ];
  const missing = bindings(local).filter((name) => !bindings(deployed).includes(name));
  const unset = (local.triggers.crons ?? []).filter(
    (cron) => !(deployed.triggers.crons ?? []).includes(cron),
  );
  return [
    ...missing.map((name) => `The binding ${name} is missing under [env.${env}].`),
    ...unset.map((cron) => `The cron trigger "${cron}" is missing under [env.${env}.triggers].`),
    ...(deployed.observability?.enabled ? [] : ["[observability] is off, so nobody could read the log."]),
  ];
}

/** Each queue has a consumer, and its failed messages have a queue that somebody reads. */
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

/** The site has a single address, and the objects none. */
const addressProblems = (config, file) =>
  ["workers_dev", "preview_urls"]
    .filter((name) => config[name] !== false)
    .map((name) => `${name} is not false in ${file}, so the worker would have a second address.`);

function routeProblems({ routes = [], route, vars }, env) {
  const origin = String(vars.APP_ORIGIN ?? "");
  if (!isOwnOrigin(origin)) return [];
  const { host } = new URL(origin);
  const patterns = [...routes, ...(route ? [route] : [])].map((one) => one.pattern ?? one);
  return patterns.some((pattern) => String(pattern).split("/")[0] === host)
    ? []
    : [
        `No route of [env.${env}] has the host of APP_ORIGIN. Add routes = [{ pattern = "${host}", custom_domain = true }].`,
      ];
}

/** Environments that share a namespace count each other's requests. */
function limiterProblems(deployed, others) {
  const namespacesOf = (config) => (config.ratelimits ?? []).map(({ namespace_id: id }) => String(id));
  return Object.entries(others).flatMap(([name, other]) =>
    namespacesOf(deployed)
      .filter((id) => namespacesOf(other).includes(id))
      .map(
        (id) =>
          `The rate-limit namespace_id ${id} is that of ${name} as well; each environment needs its own.`,
      ),
  );
}

/** The worker of the Durable Objects has the same data and the same protection as the pages. */
function objectsProblems({ deployed, local }, pages, env) {
  const buckets = (config) =>
    config.r2_buckets.map(({ binding, bucket_name }) => `${binding} ${bucket_name}`);
  const others = pages.durable_objects.bindings.filter(({ script_name }) => script_name !== deployed.name);
  return [
    ...(databaseOf(deployed) === databaseOf(pages)
      ? []
      : ["Its database_id is not that of wrangler.toml, so rooms would not find their sessions."]),
    ...(buckets(deployed).every((bucket) => buckets(pages).includes(bucket))
      ? []
      : ["Its r2_buckets are not those of wrangler.toml, so backups would not find the chat."]),
    ...others.map(
      ({ name }) => `The binding ${name} of wrangler.toml does not name this worker as script_name.`,
    ),
    ...bindingProblems(deployed, local, env),
    ...addressProblems(deployed, OBJECTS),
    ...protectionProblems(deployed.vars),
  ].map((problem) => `${OBJECTS}: ${problem}`);
}

/** A class without a migration has no storage. */
function classProblems(pages, objects) {
  const made = new Set(objects.migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes));
  const bound = [...pages.durable_objects.bindings, ...objects.durable_objects.bindings];
  const missing = [...new Set(bound.map(({ class_name }) => class_name))].filter((name) => !made.has(name));
  return missing.map(
    (name) => `${OBJECTS}: The class ${name} is bound, and no migration names it in new_sqlite_classes.`,
  );
}

/** A call between the workers crosses from one set of rules of the platform into the other. */
function runtimeProblems(pages, objects) {
  const flags = ({ compatibility_flags: all = [] }) => all.toSorted().join(", ");
  return [
    ...(pages.compatibility_date === objects.compatibility_date
      ? []
      : [
          `compatibility_date is ${pages.compatibility_date} in ${WEB} and ${objects.compatibility_date} in ${OBJECTS}.`,
        ]),
    ...(flags(pages) === flags(objects)
      ? []
      : [`compatibility_flags are ${flags(pages)} in ${WEB} and ${flags(objects)} in ${OBJECTS}.`]),
  ];
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
  if (!["on", "off"].includes(vars.EDGE_CACHE)) problems.push("EDGE_CACHE is neither on nor off.");
  problems.push(
    ...protectionProblems(vars),
    ...numberProblems(vars, ["PER_PAGE", "ROOM_CAPACITY", "MAIL_DAILY_LIMIT"]),
  );
  if (!isOwnAddress(String(vars.ALERT_MAIL ?? "")))
    problems.push("ALERT_MAIL is not your address, so nobody would hear of failing jobs.");
  return problems;
}

function isOwnOrigin(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, hostname } = new URL(text);
  return protocol === "https:" && origin === text && !EXAMPLE.test(hostname);
}

const isOwnAddress = (text) => ADDRESS.test(text) && !EXAMPLE.test(text.split("@").at(-1) ?? "");

/** The secrets may hold an SMTP server; as long as they are unknown, nothing is missing. */
function mailProblems({ vars, send_email }, secrets) {
  return [
    ...(isOwnAddress(String(vars.MAIL_FROM ?? ""))
      ? []
      : ["MAIL_FROM is not an address of a domain of yours that may send email."]),
    ...(send_email.some(({ name }) => name === "MAIL") || secrets === null || secrets.includes("SMTP_URL")
      ? []
      : ["Neither the send_email binding MAIL nor the secret SMTP_URL is set, so no email could leave."]),
  ];
}

/** Practice payments need no keys; some of the keys need the others. */
function secretProblems(secrets, vars, env) {
  if (secrets === null) return [];
  const hasNoStripe = STRIPE.every((name) => !secrets.includes(name));
  const isPractice = vars.PRACTICE_PAYMENTS === "yes";
  // Push is optional, and whole or not at all.
  const push = VAPID.some((name) => secrets.includes(name)) ? VAPID : [];
  const needed = [DATA_KEY, ...push, ...(isPractice && hasNoStripe ? [] : STRIPE)];
  return needed
    .filter((name) => !secrets.includes(name))
    .map(
      (name) => `The secret ${name} is not set. Run \`npm run wrangler -- secret put ${name} --env ${env}\`.`,
    );
}
