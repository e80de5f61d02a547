// The network of a request, for counters and the security log.
import type { App } from "./app.server";

/** The /56 that contains the address; a provider gives one customer a /56. Null for IPv4. */
export function widerNetworkOf(app: Pick<App, "origin">): string | null {
  if (!app.origin.ip.includes(":")) return null;
  const [a, b, c, d = "0"] = networkOf(app).split(":");
  return `${a}:${b}:${c}:${(Number.parseInt(d, 16) >> 8).toString(16)}/56`;
}

/** An IPv4 address, or the /64 of an IPv6 household. */
export function networkOf(app: Pick<App, "origin">): string {
  const { ip } = app.origin;
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("::");
  const headPieces = head.split(":").filter(Boolean);
  const tailPieces = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const zeros =
    tail === undefined ? [] : Array(Math.max(0, 8 - headPieces.length - tailPieces.length)).fill("0");
  return [...headPieces, ...zeros, ...tailPieces].slice(0, 4).join(":");
}
