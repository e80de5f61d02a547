// Answers as the user of the hint while the login is looked up. The answer is held back until both users agree, and
// until then the run may only read (decisions 58 and 74).
import { connect } from "#db/connect.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { isSameUser } from "./adapters/hints";
import type { Lookup, OpenedRequest } from "./create-app";

/** Parts that compute or hold values of the request. Every other part waits until the user is known. */
type Free =
  | "user"
  | "suspended"
  | "now"
  | "settings"
  | "richText"
  | "calendar"
  | "vault"
  | "tickets"
  | "deviceToken"
  | "origin"
  | "theme"
  | "timeZone"
  | "locale"
  | "newId"
  | "requestKey"
  | "intent"
  | "cookies";
type Held = { [Part in Exclude<keyof App, Free>]: App[Part] };

type Waits = {
  read<T>(ask: () => Promise<T>): Promise<T>;
  act<T>(ask: () => Promise<T>): Promise<T>;
};

/** The lookup of a presumed run's login. It happens once: within the first batch of reads, or alone. */
type Riding = {
  user: Promise<CurrentUser | null>;
  alone(): void;
  within(statements: D1PreparedStatement[], send: Send): Promise<D1Result[]>;
};
type Send = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

function createRiding({ lookup, findUser }: OpenedRequest): Riding {
  let settle = (_: CurrentUser | null | Promise<CurrentUser | null>) => {};
  let isAsked = false;
  const user = new Promise<CurrentUser | null>((resolve) => {
    settle = resolve;
  });
  return {
    user,
    alone() {
      if (isAsked) return;
      isAsked = true;
      settle(findUser());
    },
    async within(statements, send) {
      if (isAsked) return send(statements);
      isAsked = true;
      try {
        const { statement, userOf }: Lookup = lookup();
        const [found, ...results] = await send([statement, ...statements]);
        settle(found ? userOf(found) : null);
        return results;
      } catch (error) {
        // The failure may be the page's, and its answer still needs the user.
        settle(findUser());
        throw error;
      }
    },
  };
}

type Hold = {
  over(app: App): App;
  confirm(): void;
  /** The run goes no further: its waits never end, and D1 answers it no more. */
  drop(): void;
};

function createHold(riding: Riding): Hold {
  let confirm = () => {};
  let isDropped = false;
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  const read = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } finally {
      if (isDropped) await confirmed;
    }
  };
  const act = async <T>(ask: () => Promise<T>): Promise<T> => {
    riding.alone();
    await confirmed;
    return ask();
  };
  /** Every method waits. */
  const held = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => act(async () => Reflect.apply(value, target, args) as unknown);
      },
    });
  return {
    confirm,
    drop() {
      isDropped = true;
    },
    over(app) {
      const { rooms, summariser } = app;
      const parts: Held = {
        db: connect(heldD1(app.db.d1, { read, act }, riding)),
        rooms: {
          hasOpened: (id) => rooms.hasOpened(id),
          of(id) {
            const room = rooms.of(id);
            const { view, messages, linesOf } = room;
            return { ...held(room), view, messages, linesOf };
          },
        },
        payments: held(app.payments),
        mail: held(app.mail),
        push: app.push && held(app.push),
        jobs: held(app.jobs),
        uploads: held(app.uploads),
        copies: held(app.copies),
        attempts: held(app.attempts),
        summariser: {
          summarise: (text) => act(() => summariser.summarise(text)),
          async *stream(text) {
            riding.alone();
            await confirmed;
            yield* summariser.stream(text);
          },
        },
        defer(work) {
          // Work of a dropped run may fail on what it reads.
          work.catch(() => {});
          void confirmed.then(() => app.defer(work));
        },
      };
      return { ...app, ...parts };
    },
  };
}

const READS = /^\s*(?:select|with)\b/i;
const WRITES = /\b(?:insert|update|delete|replace)\b/i;
const isRead = (sql: string): boolean => READS.test(sql) && (/^\s*select/i.test(sql) || !WRITES.test(sql));

/** Reads run at once, everything else waits. */
function heldD1(d1: D1Database, { read, act }: Waits, riding: Riding): D1Database {
  const innerOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const acting = new WeakSet<D1PreparedStatement>();
  const readAlone: Waits["read"] = (ask) => {
    riding.alone();
    return read(ask);
  };
  const send: Send = (statements) => d1.batch(statements);
  const wrap = (statement: D1PreparedStatement, waits: Waits["read"]): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), waits),
      run: () => waits(() => statement.run()),
      all: () => waits(() => statement.all()),
      raw: () => waits(() => statement.raw()),
      first: () => waits(() => statement.first()),
    } as unknown as D1PreparedStatement;
    innerOf.set(wrapped, statement);
    if (waits === act) acting.add(wrapped);
    return wrapped;
  };
  return {
    prepare: (sql: string) => wrap(d1.prepare(sql), isRead(sql) ? readAlone : act),
    batch(statements: D1PreparedStatement[]) {
      const inner = statements.map((statement) => innerOf.get(statement) ?? statement);
      return statements.some((statement) => acting.has(statement))
        ? act(() => send(inner))
        : read(() => riding.within(inner, send));
    },
  } as unknown as D1Database;
}

type Answered<R> = { app: App; user: CurrentUser | null; answer: R; wasPresumed: boolean };

/**
 * The answer for the login's user. If the hint names that user, D1 is asked once for the login and the page's rows;
 * otherwise the first answer is discarded unseen and without effects, and the request is answered again.
 */
export async function answerPresuming<R>(
  request: OpenedRequest,
  presumed: CurrentUser | null,
  answer: (app: App) => Promise<R>,
  discard: (unseen: R) => unknown,
): Promise<Answered<R>> {
  if (presumed === null) return answerKnown(request, await request.findUser(), answer);
  const riding = createRiding(request);
  const hold = createHold(riding);
  const app = hold.over(request.appOf(presumed));
  const early = answer(app);
  early.then(riding.alone, riding.alone);
  const user = await riding.user.catch((error: unknown) => {
    hold.drop();
    throw error;
  });
  if (user === null || !isSameUser(user, presumed)) {
    hold.drop();
    early.then(discard).catch(() => {});
    return answerKnown(request, user, answer);
  }
  hold.confirm();
  return { app, user, answer: await early, wasPresumed: true };
}

async function answerKnown<R>(
  request: OpenedRequest,
  user: CurrentUser | null,
  answer: (app: App) => Promise<R>,
): Promise<Answered<R>> {
  const app = request.appOf(user);
  return { app, user, answer: await answer(app), wasPresumed: false };
}
