// Demo data for a fresh local run, made by the same use cases that people use; safe to run twice.
import type { App } from "~/use-cases/app.server";

export type DemoAccount = { role: string; email: string; password: string };

export async function fillDemoData(app: App): Promise<{ accounts: DemoAccount[] }> {
  if (!app.settings.isLocalRun) throw new Error("Demo data never goes into production.");
  return { accounts: [] };
}
