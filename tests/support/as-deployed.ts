// Gives a test file the edge cache and the limits of a deployment, which a run of tests lacks.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { bindings } from "./test-worker";

const AS_DEPLOYED = { RATE_LIMITS: "on", EDGE_CACHE: "on" } as const;
let stores = 0;

/**
 * For a whole file. Each test begins without copies, because the stopped clock lets none grow old. `over`: what the file
 * cannot have.
 */
export function asDeployed(over: Partial<Record<keyof typeof AS_DEPLOYED, "off">> = {}): void {
  beforeAll(() => {
    bindings.ofFile = { ...env, ...AS_DEPLOYED, ...over };
  });
  beforeEach(() => {
    const open = caches.open.bind(caches);
    const store = ++stores;
    const spy = vi.spyOn(caches, "open").mockImplementation((name) => open(`${name}-${store}`));
    return () => spy.mockRestore();
  });
  afterAll(() => {
    bindings.ofFile = null;
  });
}
