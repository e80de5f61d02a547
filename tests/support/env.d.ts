// Types of the bindings inside workerd tests.
import type { ObjectsEnv, Env as WorkerEnv } from "#workers/env";

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv, ObjectsEnv {
      /** "1": benchmarks in workerd print their counts. */
      BENCH_PRINTS: string;
      TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    }
  }
}
