// Finds names that an environment shares with another or uses twice, each as a sentence. The functions are pure.

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The placeholder of an id that is not set. */
const PLACEHOLDER = /^[0-]+\d$/;

const isSet = (id) => UUID.test(id) && !PLACEHOLDER.test(id);
export const databaseOf = ({ d1_databases }) =>
  d1_databases.find(({ binding }) => binding === "DB")?.database_id ?? "";
export const bucketOf = ({ r2_buckets }, name) =>
  r2_buckets.find(({ binding }) => binding === name)?.bucket_name;

const hostOf = (route) => (route.pattern ?? route).replace(/^https?:\/\//, "").split("/")[0];

/** The names that no other environment may have, by their kind as a sentence names it. */
const UNIQUE_NAMES = {
  "The worker's name": ({ pages, objects }) => [pages.name, objects.name],
  "The database_id": ({ pages, objects }) => [pages, objects].map(databaseOf).filter(isSet),
  "The database_name": ({ pages, objects }) =>
    [pages, objects].flatMap(({ d1_databases }) => d1_databases.map(({ database_name: name }) => name)),
  "The bucket": ({ pages, objects }) =>
    [pages, objects].flatMap(({ r2_buckets }) => r2_buckets.map(({ bucket_name: name }) => name)),
  "The queue": ({ pages: { queues } }) => [
    ...queues.producers.map(({ queue }) => queue),
    ...queues.consumers.flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead]),
  ],
  "The rate-limit namespace_id": ({ pages }) => namespacesOf(pages),
  "The host": ({ pages: { routes = [] } }) => routes.map(hostOf),
};

/** The kinds that a local run must not share either. Its other names exist only on the machine. */
const UNIQUE_LOCALLY = ["The database_id", "The rate-limit namespace_id"];

const namespacesOf = ({ ratelimits = [] }) => ratelimits.map(({ namespace_id: id }) => String(id));
const distinct = (names) => new Set(names.filter(Boolean));

/** A sentence for each name that another environment has too, because one would write to the other or replace it. */
export function sharedProblems({ env, pages, objects }) {
  const ownConfigs = { pages: pages.deployed, objects: objects.deployed };
  const names = Object.keys(pages.others).filter((name) => name in objects.others);
  return names.flatMap((name) => {
    const otherConfigs = { pages: pages.others[name], objects: objects.others[name] };
    return Object.entries(UNIQUE_NAMES)
      .filter(([kind]) => name !== "local" || UNIQUE_LOCALLY.includes(kind))
      .flatMap(([kind, namesOf]) => {
        const taken = distinct(namesOf(otherConfigs));
        return [...distinct(namesOf(ownConfigs))]
          .filter((ownName) => taken.has(ownName))
          .map(
            (ownName) => `${kind} ${ownName} of [env.${env}] is that of ${name} as well; each needs its own.`,
          );
      });
  });
}

/** The problems of a single environment: a database that is not set, and a name that serves two things. */
export function identityProblems({ env, pages, objects }) {
  const id = databaseOf(pages);
  const name = pages.d1_databases[0]?.database_name ?? "bothy";
  const uploads = bucketOf(pages, "UPLOADS");
  const repeated = namespacesOf(pages).filter((id, index, ids) => ids.indexOf(id) !== index);
  return [
    ...(isSet(id)
      ? []
      : [
          `database_id is not set. Run \`npm run wrangler -- d1 create ${name}\` and put the id into wrangler.toml under [[env.${env}.d1_databases]].`,
        ]),
    ...(pages.name === objects.name
      ? [`Both workers of [env.${env}] are called ${pages.name}, so the second would replace the first.`]
      : []),
    ...(uploads && uploads === bucketOf(pages, "COPIES")
      ? [`UPLOADS and COPIES of [env.${env}] are the bucket ${uploads}, so anybody could read the chat.`]
      : []),
    ...[...new Set(repeated)].map(
      (namespaceId) => `The rate-limit namespace_id ${namespaceId} of [env.${env}] counts for two bindings.`,
    ),
  ];
}
