// POST /local/stores: reads and writes the stores of a local run for the commands of workers/local. It requires the key in
// the data folder, and a deployed worker answers 404.
import type { Context } from "hono";
import { z } from "zod";
import { hashToken } from "~/use-cases/tokens.server";
import { isLocalRequest } from "../own-machine";
import type { HonoEnv } from "../serve";

const Value = z.union([z.string(), z.number(), z.null()]);
const Operation = z.union([
  z.object({ statements: z.array(z.object({ sql: z.string(), values: z.array(Value) })) }),
  z.object({ list: z.object({ prefix: z.string(), cursor: z.string().optional() }) }),
  z.object({ get: z.string() }),
  z.object({ put: z.string(), text: z.string() }),
]);

export async function serveStores(c: Context<HonoEnv>): Promise<Response> {
  const { DB, COPIES, LOCAL_KEY_HASH } = c.env;
  const key = c.req.header("X-Local-Key") ?? "";
  if (!isLocalRequest(c.env, c.req.raw) || !LOCAL_KEY_HASH || (await hashToken(key)) !== LOCAL_KEY_HASH)
    return c.body(null, 404);
  const operation = Operation.parse(await c.req.json());
  try {
    if ("statements" in operation)
      return c.json(
        await DB.batch(operation.statements.map(({ sql, values }) => DB.prepare(sql).bind(...values))),
      );
    if ("list" in operation) {
      const page = await COPIES.list(operation.list);
      const keys = page.objects.map(({ key }) => ({ key }));
      return c.json({ objects: keys, truncated: page.truncated, cursor: page.truncated ? page.cursor : "" });
    }
    if ("get" in operation)
      return c.json({ text: (await (await COPIES.get(operation.get))?.text()) ?? null });
    await COPIES.put(operation.put, operation.text);
    return c.json({});
  } catch (error) {
    // A wrong statement is a fault of the command, which prints this message.
    return c.json({ error: (error as Error).message }, 422);
  }
}
