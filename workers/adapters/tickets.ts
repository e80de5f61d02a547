// Room tickets: short-lived JWTs that open a room's socket beside the cookie of their login, without D1 (decision 45).
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { HOUR, type Instant, MINUTE, SECOND } from "~/domain/time";
import type { RoomTicket, Tickets } from "~/use-cases/ports.server";
import type { Env } from "../env";
import { deriveKey } from "./derived-key";
import { currentDataKey } from "./vault";

/** A page's ticket opens the first socket; the room's welcome brings a ticket for reconnects. */
const LIFETIME_MS = { page: MINUTE, return: HOUR } as const;
type Kind = keyof typeof LIFETIME_MS;
/** Milliseconds for which a ticket may still be valid after its login or seat has ended. */
export const MAX_TICKET_MS = LIFETIME_MS.page + LIFETIME_MS.return;

const ALGORITHM = "HS256";
const [ISSUER, AUDIENCE] = ["bothy", "room"];

const Claims = z.object({
  kind: z.enum(["page", "return"]),
  session: z.number().int(),
  sub: z.string().regex(/^\d+$/),
  name: z.string(),
  zone: z.string(),
  login: z.string().length(64),
});

export type TicketReader = Tickets & {
  issueReturn(ticket: RoomTicket, now: Instant): Promise<string>;
  /** Null for a forged or expired ticket, and for any other text. */
  read(token: string, now: Instant): Promise<{ kind: Kind; ticket: RoomTicket } | null>;
};

const KEY = {
  info: "bothy room ticket",
  algorithm: { name: "HMAC", hash: "SHA-256", length: 256 },
  usages: ["sign", "verify"],
} satisfies Parameters<typeof deriveKey>[1];

/** null on a deployed worker without DATA_KEY: every socket then opens by the cookie alone. */
export function createTickets(env: Pick<Env, "DATA_KEY">, isLocalRun: boolean): TicketReader | null {
  const dataKey = currentDataKey(env, isLocalRun);
  if (dataKey === null) return null;
  const issue = async (kind: Kind, ticket: RoomTicket, now: Instant): Promise<string> =>
    new SignJWT({
      kind,
      session: ticket.sessionId,
      name: ticket.username,
      zone: ticket.timeZone,
      login: ticket.loginHash,
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(String(ticket.userId))
      .setIssuedAt(Math.floor(now / SECOND))
      .setExpirationTime(Math.floor((now + LIFETIME_MS[kind]) / SECOND))
      .sign(await deriveKey(dataKey, KEY));
  return {
    issue: (ticket, now) => issue("page", ticket, now),
    issueReturn: (ticket, now) => issue("return", ticket, now),
    async read(token, now) {
      try {
        const { payload } = await jwtVerify(token, await deriveKey(dataKey, KEY), {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ["exp", "iat"],
          currentDate: new Date(now),
        });
        const { kind, session, sub, name, zone, login } = Claims.parse(payload);
        const ticket = {
          sessionId: session,
          userId: Number(sub),
          username: name,
          timeZone: zone,
          loginHash: login,
        };
        return { kind, ticket };
      } catch {
        return null;
      }
    },
  };
}
