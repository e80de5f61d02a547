// Keeps the ids of users on the server: browsers know users by their usernames.

/** The names that ids of users have in rows. The id of a person is public (E-18). */
const USER_IDS = ["userId", "ownerId", "hostId", "actorId", "authorId", "blockedId"] as const;
type UserId = (typeof USER_IDS)[number];

/** The name of the first id of a user in `T`, at any depth; never without one. `Seen` ends recursive types. */
type UserIdIn<T, Seen = never> = T extends Seen
  ? never
  : T extends readonly (infer Each)[]
    ? UserIdIn<Each, Seen>
    : T extends (...args: never[]) => unknown
      ? never
      : T extends object
        ? { [K in keyof T]-?: K extends UserId ? K : UserIdIn<T[K], Seen | T> }[keyof T]
        : never;

/** Added to the type of a use case, so that the compiler names the id which its result would send to a browser. */
export type WithoutUserIds<R> = [UserIdIn<R>] extends [never]
  ? unknown
  : { "The page's data has the id of a user": UserIdIn<R> };

/** A row fits a type with fewer columns, so tests and local runs check the data too. */
export function refuseUserIds(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if ((USER_IDS as readonly string[]).includes(name))
      throw new Error(`The data of a page has the id of a user: "${name}".`);
    refuseUserIds(item);
  }
}
