// The security log: JSON lines that let an operator see an attack. It contains ids and networks, but no password,
// token, code, address or user text.
import { logLine } from "~/domain/log-line";
import type { App } from "./app.server";
import { networkOf } from "./network.server";

/** The closed list of security events. `userId` is null for a visitor or an unknown account. */
export type SecurityEvent =
  | { event: "registered" | "logged-in" | "logged-out"; userId: number }
  | { event: "login-refused"; userId: number | null }
  /** A counter is full; `counter` names it. */
  | { event: "locked-out"; userId: number | null; counter: string }
  | { event: "current-password-refused"; userId: number }
  /** A code that was not right, at a sign-in, a check or the start of two-step sign-in. */
  | { event: "second-step-refused"; userId: number }
  | { event: "passkey-refused"; userId: number | null }
  /** A password, code or passkey was given again. */
  | { event: "login-checked"; userId: number; by: "password" | "code" | "passkey" }
  | { event: "two-step-on" | "two-step-off"; userId: number }
  | { event: "recovery-codes-made" | "recovery-code-used"; userId: number }
  | { event: "passkey-added" | "passkey-removed"; userId: number }
  | { event: "calendar-address-made" | "calendar-address-off"; userId: number }
  | { event: "api-key-made" | "api-key-revoked"; userId: number }
  /** A well-formed key that is unknown, expired or revoked. */
  | { event: "api-key-refused"; userId: null }
  | { event: "password-changed"; userId: number; by: "current-password" | "reset-link" }
  | { event: "reset-link-refused"; userId: null }
  | { event: "reset-asked"; userId: number | null }
  | { event: "address-changed" | "address-confirmed" | "address-restored"; userId: number }
  | { event: "logins-ended"; userId: number; count: number }
  | { event: "deletion-asked" | "account-deleted"; userId: number }
  /** 403 and 419; the path is logged without its query. */
  | { event: "request-refused"; userId: number | null; status: number; method: string; path: string }
  | { event: "socket-refused"; userId: number | null; status: number; path: string }
  /** Every request of a super admin, including reads and refusals; `intent` distinguishes the forms of a page. */
  | {
      event: "super-admin-acted";
      userId: number;
      status: number;
      method: string;
      path: string;
      intent: string | null;
    };

export type SecurityLine = SecurityEvent & { log: "security"; at: string; network: string };

/** Writes one line. The network is an IPv4 address or the /64 of an IPv6 household. */
export function logSecurity(app: Pick<App, "now" | "origin">, securityEvent: SecurityEvent): void {
  const at = new Date(app.now).toISOString();
  const line: SecurityLine = { log: "security", at, network: networkOf(app), ...securityEvent };
  console.log(logLine(line));
}
