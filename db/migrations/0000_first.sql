CREATE TABLE `logins` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`place` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `logins_by_user` ON `logins` (`user_id`,`last_seen_at`);--> statement-breakpoint
CREATE INDEX `logins_by_expiry` ON `logins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mailbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `password_resets` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `password_resets_by_expiry` ON `password_resets` (`expires_at`);--> statement-breakpoint
CREATE INDEX `password_resets_by_user` ON `password_resets` (`user_id`);--> statement-breakpoint
CREATE TABLE `persons` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`username` text NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "username_well_formed" CHECK(length("persons"."username") BETWEEN 3 AND 30)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `persons_username_unique` ON `persons` (lower("username"));--> statement-breakpoint
CREATE INDEX `persons_by_user` ON `persons` (`user_id`);--> statement-breakpoint
CREATE TABLE `repeated_requests` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`call` text NOT NULL,
	`status` integer,
	`answer` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `repeated_requests_by_age` ON `repeated_requests` (`created_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`username` text NOT NULL,
	`first_name` text DEFAULT '' NOT NULL,
	`last_name` text DEFAULT '' NOT NULL,
	`password_hash` text NOT NULL,
	`role_id` integer DEFAULT 1 NOT NULL,
	`person_id` integer,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`new_messages` text DEFAULT 'free_tokens' NOT NULL,
	`is_new` integer DEFAULT true NOT NULL,
	`pool_redeemed_at` integer,
	`deletion_due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (lower("username"));--> statement-breakpoint
CREATE INDEX `users_deletion_due` ON `users` (`deletion_due_at`) WHERE deletion_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `activities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`owner_id` integer NOT NULL,
	`hut_id` integer,
	`category` text,
	`difficulty` integer DEFAULT 4 NOT NULL,
	`is_template` integer DEFAULT false NOT NULL,
	`is_manually_started` integer DEFAULT false NOT NULL,
	`duration` integer NOT NULL,
	`participant_limit` integer,
	`followers_count` integer DEFAULT 0 NOT NULL,
	`open_sessions_count` integer DEFAULT 0 NOT NULL,
	`schedule` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`category`) REFERENCES `categories`(`slug`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "activity_not_full" CHECK("activities"."participant_limit" IS NULL OR "activities"."participant_limit" = 0 OR "activities"."followers_count" <= "activities"."participant_limit"),
	CONSTRAINT "followers_not_negative" CHECK("activities"."followers_count" >= 0),
	CONSTRAINT "difficulty_known" CHECK("activities"."difficulty" IN (3, 4, 6))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_slug_unique` ON `activities` (`slug`);--> statement-breakpoint
CREATE INDEX `activities_newest` ON `activities` (`is_template`,`id`);--> statement-breakpoint
CREATE INDEX `activities_by_hut` ON `activities` (`hut_id`,`is_template`,`id`);--> statement-breakpoint
CREATE INDEX `activities_by_category` ON `activities` (`is_template`,`category`,`difficulty`,`id`);--> statement-breakpoint
CREATE INDEX `activities_by_difficulty` ON `activities` (`is_template`,`difficulty`,`id`);--> statement-breakpoint
CREATE INDEX `activities_by_owner` ON `activities` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `categories` (
	`slug` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `followers` (
	`activity_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`followed_at` integer NOT NULL,
	PRIMARY KEY(`activity_id`, `user_id`),
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `followers_by_user` ON `followers` (`user_id`,`activity_id`);--> statement-breakpoint
CREATE TABLE `slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `goal_days` (
	`goal_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`day` text NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`distance` integer DEFAULT 0 NOT NULL,
	`logs` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`goal_id`, `user_id`, `day`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `goal_days_by_user` ON `goal_days` (`user_id`,`day`,`goal_id`);--> statement-breakpoint
CREATE TABLE `goal_tags` (
	`user_id` integer NOT NULL,
	`tag` text NOT NULL,
	`goal_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `tag`, `goal_id`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `goal_tags_by_goal` ON `goal_tags` (`goal_id`);--> statement-breakpoint
CREATE TABLE `goals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`user_id` integer NOT NULL,
	`session_id` integer,
	`activity_id` integer,
	`part_group_id` text,
	`position` integer DEFAULT 0 NOT NULL,
	`title` text NOT NULL,
	`link` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`action` text DEFAULT 'Do' NOT NULL,
	`unit` text DEFAULT '' NOT NULL,
	`amount` integer,
	`distance` integer,
	`duration` integer,
	`action_duration` integer,
	`sets` integer DEFAULT 1 NOT NULL,
	`timers` text DEFAULT '[]' NOT NULL,
	`is_interval` integer DEFAULT false NOT NULL,
	`is_list` integer DEFAULT false NOT NULL,
	`items` text DEFAULT '[]' NOT NULL,
	`quick_log_buttons` text DEFAULT '[]' NOT NULL,
	`completions_required` integer DEFAULT 1 NOT NULL,
	`is_per_participant` integer DEFAULT false NOT NULL,
	`may_edit_content` integer DEFAULT false NOT NULL,
	`may_edit_summary` integer DEFAULT false NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	`status` integer DEFAULT 1 NOT NULL,
	`completed_at` integer,
	`copied_from_uuid` text,
	`attached_session_id` integer,
	`recurrence` text,
	`amount_elapsed` integer DEFAULT 0 NOT NULL,
	`duration_elapsed` integer DEFAULT 0 NOT NULL,
	`distance_elapsed` integer DEFAULT 0 NOT NULL,
	`logs_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "goal_status_known" CHECK("goals"."status" IN (1, 2)),
	CONSTRAINT "goal_progress_not_negative" CHECK("goals"."amount_elapsed" >= 0 AND "goals"."duration_elapsed" >= 0 AND "goals"."distance_elapsed" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `goal_uuid_unique` ON `goals` (`uuid`);--> statement-breakpoint
CREATE INDEX `goals_by_user` ON `goals` (`user_id`,`id`) WHERE session_id IS NULL AND activity_id IS NULL;--> statement-breakpoint
CREATE INDEX `goals_by_session` ON `goals` (`session_id`,`position`);--> statement-breakpoint
CREATE INDEX `goals_by_activity` ON `goals` (`activity_id`,`position`);--> statement-breakpoint
CREATE INDEX `goals_by_attachment` ON `goals` (`attached_session_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `hut_members` (
	`hut_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`hut_id`, `user_id`),
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hut_members_by_user` ON `hut_members` (`user_id`,`hut_id`);--> statement-breakpoint
CREATE TABLE `huts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`owner_id` integer NOT NULL,
	`user_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "members_not_negative" CHECK("huts"."user_count" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hut_slug_unique` ON `huts` (`slug`);--> statement-breakpoint
CREATE INDEX `huts_by_owner` ON `huts` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `favorites` (
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`target_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`person_id` integer NOT NULL,
	`parent_id` integer DEFAULT 0 NOT NULL,
	`hut_id` integer,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`status` integer DEFAULT 0 NOT NULL,
	`type` text DEFAULT 'item' NOT NULL,
	`is_book` integer DEFAULT false NOT NULL,
	`url` text DEFAULT '' NOT NULL,
	`order_ms` real NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "item_status_known" CHECK("items"."status" IN (0, 1))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `item_slug_unique` ON `items` (`person_id`,`parent_id`,`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `book_slug_unique` ON `items` (`slug`) WHERE is_book = 1;--> statement-breakpoint
CREATE INDEX `items_in_order` ON `items` (`person_id`,`parent_id`,`hut_id`,`order_ms`);--> statement-breakpoint
CREATE INDEX `items_by_parent` ON `items` (`parent_id`,`order_ms`);--> statement-breakpoint
CREATE INDEX `items_by_slug` ON `items` (`slug`);--> statement-breakpoint
CREATE TABLE `paraphrases` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`snippet_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`snippet_id`) REFERENCES `snippets`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `paraphrases_by_snippet` ON `paraphrases` (`snippet_id`,`id`);--> statement-breakpoint
CREATE INDEX `paraphrases_by_person` ON `paraphrases` (`person_id`,`id`);--> statement-breakpoint
CREATE TABLE `snippets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`number` integer NOT NULL,
	`content` text NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `snippet_number_unique` ON `snippets` (`item_id`,`number`);--> statement-breakpoint
CREATE TABLE `uploads` (
	`key` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `uploads_by_user` ON `uploads` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`goal_id` integer,
	`user_id` integer NOT NULL,
	`username` text NOT NULL,
	`session_id` integer,
	`task_uuid` text,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`status` integer NOT NULL,
	`amount` integer,
	`distance` integer,
	`duration` integer,
	`is_timed` integer DEFAULT false NOT NULL,
	`elapsed_duration` integer DEFAULT 0 NOT NULL,
	`remaining_duration` integer,
	`started_at` integer,
	`ended_at` integer,
	`paused_at` integer,
	`ql_button_uuid` text,
	`day` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "log_status_known" CHECK("logs"."status" IN (1, 2, 3, 4)),
	CONSTRAINT "log_elapsed_not_negative" CHECK("logs"."elapsed_duration" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_uuid_unique` ON `logs` (`uuid`);--> statement-breakpoint
CREATE INDEX `logs_by_user` ON `logs` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `logs_by_goal` ON `logs` (`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `logs_by_session` ON `logs` (`session_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `one_running_log` ON `logs` (`goal_id`,`user_id`) WHERE status = 1 AND is_timed = 1;--> statement-breakpoint
CREATE TABLE `notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`goal_id` integer,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`todo` text DEFAULT '' NOT NULL,
	`done` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notes_by_user` ON `notes` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_goal` ON `notes` (`goal_id`,`id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_provider_unique` ON `customers` (`provider_id`);--> statement-breakpoint
CREATE TABLE `payment_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`brand` text NOT NULL,
	`last4` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `payment_methods_by_user` ON `payment_methods` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `practice_objects` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`customer` text DEFAULT '' NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `practice_objects_by_customer` ON `practice_objects` (`customer`,`kind`);--> statement-breakpoint
CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`handled_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `purchases` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`payment_intent` text NOT NULL,
	`cents` integer NOT NULL,
	`tokens` integer NOT NULL,
	`to_pool` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "purchase_positive" CHECK("purchases"."cents" > 0 AND "purchases"."tokens" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_credited_once` ON `purchases` (`payment_intent`);--> statement-breakpoint
CREATE INDEX `purchases_by_user` ON `purchases` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`product` text NOT NULL,
	`next_product` text,
	`provider_id` text NOT NULL,
	`stripe_sub_status` text NOT NULL,
	`start_date` integer NOT NULL,
	`end_date` integer,
	`period_start` integer,
	`period_end` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_provider_unique` ON `subscriptions` (`provider_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `one_open_subscription_per_user` ON `subscriptions` (`user_id`) WHERE stripe_sub_status NOT IN ('canceled', 'incomplete_expired');--> statement-breakpoint
CREATE INDEX `subscriptions_by_period_end` ON `subscriptions` (`period_end`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_user` ON `subscriptions` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `posts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` integer,
	`hut_id` integer,
	`user_id` integer NOT NULL,
	`username` text NOT NULL,
	`parent_id` integer,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "post_has_one_place" CHECK(("posts"."session_id" IS NULL) <> ("posts"."hut_id" IS NULL))
);
--> statement-breakpoint
CREATE INDEX `posts_by_session` ON `posts` (`session_id`,`parent_id`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_hut` ON `posts` (`hut_id`,`parent_id`,`id`);--> statement-breakpoint
CREATE TABLE `participants` (
	`session_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`username` text NOT NULL,
	`role` integer DEFAULT 0 NOT NULL,
	`is_host` integer DEFAULT false NOT NULL,
	`seat` text NOT NULL,
	`paid_by` integer NOT NULL,
	`joined_at` integer NOT NULL,
	`completed_at` integer,
	PRIMARY KEY(`session_id`, `user_id`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "role_known" CHECK("participants"."role" IN (0, 1))
);
--> statement-breakpoint
CREATE INDEX `participants_by_user` ON `participants` (`user_id`,`session_id`);--> statement-breakpoint
CREATE INDEX `participants_in_order` ON `participants` (`session_id`,`joined_at`);--> statement-breakpoint
CREATE TABLE `session_totals` (
	`session_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`goal_uuid` text NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`distance` integer DEFAULT 0 NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`list_progress` text,
	PRIMARY KEY(`session_id`, `user_id`, `goal_uuid`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`activity_id` integer,
	`hut_id` integer,
	`owner_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`prompt` text DEFAULT '' NOT NULL,
	`category` text,
	`difficulty` integer DEFAULT 4 NOT NULL,
	`is_template` integer DEFAULT false NOT NULL,
	`is_manually_started` integer DEFAULT false NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	`duration` integer NOT NULL,
	`participant_limit` integer,
	`participants_count` integer DEFAULT 0 NOT NULL,
	`donation_link` text DEFAULT '' NOT NULL,
	`join_code` text DEFAULT '' NOT NULL,
	`is_free` integer DEFAULT false NOT NULL,
	`schedule` text NOT NULL,
	`room_version` integer DEFAULT 0 NOT NULL,
	`closed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "session_length" CHECK("sessions"."duration" BETWEEN 300 AND 2592000),
	CONSTRAINT "session_not_full" CHECK("sessions"."participant_limit" IS NULL OR "sessions"."participant_limit" = 0 OR "sessions"."participants_count" <= "sessions"."participant_limit"),
	CONSTRAINT "participants_not_negative" CHECK("sessions"."participants_count" >= 0),
	CONSTRAINT "session_ends_after_start" CHECK("sessions"."ended_at" IS NULL OR "sessions"."started_at" IS NULL OR "sessions"."ended_at" >= "sessions"."started_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `session_slug_unique` ON `sessions` (`slug`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`is_template`,`ended_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_activity` ON `sessions` (`activity_id`,`ended_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_hut` ON `sessions` (`hut_id`,`ended_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_owner` ON `sessions` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_category` ON `sessions` (`is_template`,`category`,`difficulty`,`ended_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_to_open` ON `sessions` (`started_at`) WHERE closed_at IS NULL AND started_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `chat_blocks` (
	`reference` text PRIMARY KEY NOT NULL,
	`session_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`size` integer NOT NULL,
	`used` integer,
	`opened_at` integer NOT NULL,
	`closed_at` integer,
	CONSTRAINT "block_not_overused" CHECK("chat_blocks"."used" IS NULL OR ("chat_blocks"."used" >= 0 AND "chat_blocks"."used" <= "chat_blocks"."size"))
);
--> statement-breakpoint
CREATE INDEX `chat_blocks_by_session` ON `chat_blocks` (`session_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `pool_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pool_entry_written_once` ON `pool_entries` (`reference`);--> statement-breakpoint
CREATE INDEX `pool_entries_by_user` ON `pool_entries` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `token_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`lot_id` integer,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`lot_id`) REFERENCES `token_lots`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "tokens_sufficient" CHECK("token_entries"."amount" <> 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entry_written_once` ON `token_entries` (`reference`,`lot_id`);--> statement-breakpoint
CREATE INDEX `token_entries_by_user` ON `token_entries` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `token_entries_by_lot` ON `token_entries` (`lot_id`);--> statement-breakpoint
CREATE TABLE `token_lots` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`scope` text DEFAULT 'all' NOT NULL,
	`granted` integer NOT NULL,
	`remaining` integer NOT NULL,
	`expires_at` integer,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "tokens_not_negative" CHECK("token_lots"."remaining" >= 0),
	CONSTRAINT "lot_not_overfilled" CHECK("token_lots"."remaining" <= "token_lots"."granted")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lot_granted_once` ON `token_lots` (`reference`);--> statement-breakpoint
CREATE INDEX `token_lots_by_user` ON `token_lots` (`user_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `token_pool` (
	`id` integer PRIMARY KEY NOT NULL,
	`remaining` integer NOT NULL,
	CONSTRAINT "pool_not_negative" CHECK("token_pool"."remaining" >= 0),
	CONSTRAINT "one_pool" CHECK("token_pool"."id" = 1)
);
