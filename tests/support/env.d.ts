// The bindings inside workerd tests.
import type { Env as WorkerEnv } from "#workers/env";

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    }
  }
}
