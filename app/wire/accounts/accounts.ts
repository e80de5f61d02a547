// The wire format of users, persons, and the ways into an account (E-01, E-02).
import type { Account, Person } from "~/domain/accounts/accounts";
import { PLANS } from "~/domain/payments/products";
import type { Instant } from "~/domain/time";
import { tokensOf } from "~/domain/tokens";
import { planOut } from "~/wire/payments/payments";
import { flagOut, instantOut } from "~/wire/values";

const subscriptionOut = (subscription: NonNullable<Account["subscription"]>) => ({
  id: subscription.id,
  product: planOut(PLANS[subscription.product]),
  start_date: instantOut(subscription.startDate),
  end_date: instantOut(subscription.endDate),
  stripe_sub_status: subscription.stripeSubStatus,
});

/** Keyed by message; 1 while the user has not seen it. */
export const newMessagesOut = (keys: string[]): Record<string, 1> =>
  Object.fromEntries(keys.map((key) => [key, 1]));

export const userOut = (account: Account) => ({
  id: account.id,
  first_name: account.firstName,
  last_name: account.lastName,
  email: account.email,
  username: account.username,
  role_id: account.roleId,
  subscription_id: account.subscription?.id ?? null,
  subscription: account.subscription ? subscriptionOut(account.subscription) : null,
  all_remaining_tokens: tokensOf(account.tokens),
  /** Tokens of reversed payments that were already spent; the balance never goes below zero for them (B-12). */
  owed_tokens: tokensOf(account.owed),
  is_new: flagOut(account.isNew),
  new_messages: newMessagesOut(account.newMessages),
  /** The client generates it on each page; the server does not store it. */
  client_uuid: null,
  my_goals: account.myGoals,
  person: { id: account.personId, username: account.username },
});

export const personOut = ({ id, username }: Person) => ({ id, username });

export const passkeyOut = ({ name, createdAt }: { name: string; createdAt: Instant }) => ({
  name,
  created_at: instantOut(createdAt),
});

type ApiKey = {
  name: string;
  start: string;
  scopes: string;
  createdAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
};
/** A personal key, without anything that opens the account (O-09). */
export const apiKeyOut = (key: ApiKey) => ({
  name: key.name,
  start: key.start,
  scopes: key.scopes,
  created_at: instantOut(key.createdAt),
  expires_at: instantOut(key.expiresAt),
  last_used_at: instantOut(key.lastUsedAt),
});

type Login = { userAgent: string; place: string; createdAt: Instant; lastSeenAt: Instant };
export const loginOut = (login: Login) => ({
  device: login.userAgent,
  place: login.place,
  created_at: instantOut(login.createdAt),
  last_seen_at: instantOut(login.lastSeenAt),
});
