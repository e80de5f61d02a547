// Tables of payments. The provider's state is authoritative; these rows record how it was applied.
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../accounts/accounts";
import { idColumn, instantColumn, jsonColumn, stampColumns } from "../columns";

export const customers = sqliteTable(
  "customers",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    providerId: text("provider_id").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [uniqueIndex("customers_provider_unique").on(t.providerId)],
);

export const paymentMethods = sqliteTable(
  "payment_methods",
  {
    id: text("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    brand: text("brand").notNull(),
    last4: text("last4").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [index("payment_methods_by_user").on(t.userId, t.createdAt)],
);

/** A token purchase, credited once the provider says that it is paid. */
export const purchases = sqliteTable(
  "purchases",
  {
    id: idColumn(),
    userId: integer("user_id").notNull(),
    paymentIntent: text("payment_intent").notNull(),
    cents: integer("cents").notNull(),
    /** Hundredths of a token. */
    tokens: integer("tokens").notNull(),
    toPool: integer("to_pool", { mode: "boolean" }).notNull().default(false),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("payment_credited_once").on(t.paymentIntent),
    index("purchases_by_user").on(t.userId, t.createdAt),
    check("purchase_positive", sql`${t.cents} > 0 AND ${t.tokens} > 0`),
  ],
);

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: idColumn(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    product: text("product", { enum: ["goals_sub", "goals_sessions_sub"] }).notNull(),
    /** A downgrade at the period's end. */
    nextProduct: text("next_product", { enum: ["goals_sub", "goals_sessions_sub"] }),
    providerId: text("provider_id").notNull(),
    stripeSubStatus: text("stripe_sub_status").notNull(),
    startDate: instantColumn("start_date").notNull(),
    /** Set by a cancellation; the paid period stays usable until its end (B-17). */
    endDate: instantColumn("end_date"),
    periodStart: instantColumn("period_start"),
    periodEnd: instantColumn("period_end"),
    ...stampColumns(),
  },
  (t) => [
    uniqueIndex("subscriptions_provider_unique").on(t.providerId),
    uniqueIndex("one_open_subscription_per_user")
      .on(t.userId)
      .where(sql`stripe_sub_status NOT IN ('canceled', 'incomplete_expired')`),
    index("subscriptions_by_period_end").on(t.periodEnd),
    index("subscriptions_by_user").on(t.userId, t.id),
  ],
);

/** Payments that are begun but not credited; cron asks the provider about each, at growing intervals. */
export const openPayments = sqliteTable(
  "open_payments",
  {
    paymentIntent: text("payment_intent").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    lookAt: instantColumn("look_at").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [index("open_payments_by_look_at").on(t.lookAt)],
);

/** Webhook deliveries that were handled. */
export const providerEvents = sqliteTable("provider_events", {
  id: text("id").primaryKey(),
  type: text("type").notNull(),
  handledAt: instantColumn("handled_at").notNull(),
});

/**
 * The practice provider's own state (B-20): customers, methods, intents, subscriptions. Unused where Stripe keys are
 * set.
 */
export const practiceObjects = sqliteTable(
  "practice_objects",
  {
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    customer: text("customer").notNull().default(""),
    body: jsonColumn<unknown>("body").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [index("practice_objects_by_customer").on(t.customer, t.kind)],
);
