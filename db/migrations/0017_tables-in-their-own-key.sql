-- D1 bills rows per b-tree, so a table WITHOUT ROWID writes one row less each time. An entry's id counts a person's
-- entries; a chat block is defined by its entries. Drizzle cannot express WITHOUT ROWID: a later migration that
-- recreates a table must add it by hand (tests/load/costs counts).
CREATE TABLE `__new_participants` (
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
	PRIMARY KEY(`user_id`, `session_id`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "role_known" CHECK("role" IN (0, 1))
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_participants` (`session_id`, `user_id`, `person_id`, `username`, `role`, `is_host`, `seat`, `paid_by`, `joined_at`, `completed_at`) SELECT `session_id`, `user_id`, `person_id`, `username`, `role`, `is_host`, `seat`, `paid_by`, `joined_at`, `completed_at` FROM `participants`;--> statement-breakpoint
DROP TABLE `participants`;--> statement-breakpoint
ALTER TABLE `__new_participants` RENAME TO `participants`;--> statement-breakpoint
CREATE INDEX `participants_in_order` ON `participants` (`session_id`,`joined_at`,`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `one_host_per_session` ON `participants` (`session_id`) WHERE is_host = 1;--> statement-breakpoint
CREATE TABLE `__new_token_entries` (
	`id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`lot_id` integer,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL,
	`paid_before` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `id`),
	CONSTRAINT "tokens_sufficient" CHECK("amount" <> 0)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_token_entries` (`id`, `user_id`, `lot_id`, `amount`, `reason`, `reference`, `created_at`, `paid_before`) SELECT `id`, `user_id`, `lot_id`, `amount`, `reason`, `reference`, `created_at`, `paid_before` FROM `token_entries`;--> statement-breakpoint
DROP TABLE `token_entries`;--> statement-breakpoint
ALTER TABLE `__new_token_entries` RENAME TO `token_entries`;--> statement-breakpoint
CREATE UNIQUE INDEX `entry_written_once` ON `token_entries` (`reference`,`paid_before`);--> statement-breakpoint
CREATE TABLE `__new_goal_days` (
	`goal_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`day` text NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`distance` integer DEFAULT 0 NOT NULL,
	`logs` integer DEFAULT 0 NOT NULL,
	`is_skipped` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`goal_id`, `user_id`, `day`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_goal_days` (`goal_id`, `user_id`, `day`, `amount`, `duration`, `distance`, `logs`, `is_skipped`) SELECT `goal_id`, `user_id`, `day`, `amount`, `duration`, `distance`, `logs`, `is_skipped` FROM `goal_days`;--> statement-breakpoint
DROP TABLE `goal_days`;--> statement-breakpoint
ALTER TABLE `__new_goal_days` RENAME TO `goal_days`;--> statement-breakpoint
CREATE UNIQUE INDEX `goal_days_by_user` ON `goal_days` (`user_id`,`day`,`goal_id`);--> statement-breakpoint
CREATE TABLE `__new_session_totals` (
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
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_session_totals` (`session_id`, `user_id`, `goal_uuid`, `action`, `amount`, `distance`, `duration`, `list_progress`) SELECT `session_id`, `user_id`, `goal_uuid`, `action`, `amount`, `distance`, `duration`, `list_progress` FROM `session_totals`;--> statement-breakpoint
DROP TABLE `session_totals`;--> statement-breakpoint
ALTER TABLE `__new_session_totals` RENAME TO `session_totals`;--> statement-breakpoint
CREATE TABLE `__new_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` integer NOT NULL
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_slugs` (`slug`, `kind`, `target_id`) SELECT `slug`, `kind`, `target_id` FROM `slugs`;--> statement-breakpoint
DROP TABLE `slugs`;--> statement-breakpoint
ALTER TABLE `__new_slugs` RENAME TO `slugs`;--> statement-breakpoint
CREATE TABLE `__new_followers` (
	`activity_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`followed_at` integer NOT NULL,
	PRIMARY KEY(`activity_id`, `user_id`),
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_followers` (`activity_id`, `user_id`, `followed_at`) SELECT `activity_id`, `user_id`, `followed_at` FROM `followers`;--> statement-breakpoint
DROP TABLE `followers`;--> statement-breakpoint
ALTER TABLE `__new_followers` RENAME TO `followers`;--> statement-breakpoint
CREATE INDEX `followers_by_user` ON `followers` (`user_id`,`activity_id`);--> statement-breakpoint
CREATE TABLE `__new_hut_members` (
	`hut_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`hut_id`, `user_id`),
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_hut_members` (`hut_id`, `user_id`, `joined_at`) SELECT `hut_id`, `user_id`, `joined_at` FROM `hut_members`;--> statement-breakpoint
DROP TABLE `hut_members`;--> statement-breakpoint
ALTER TABLE `__new_hut_members` RENAME TO `hut_members`;--> statement-breakpoint
CREATE INDEX `hut_members_by_user` ON `hut_members` (`user_id`,`hut_id`);--> statement-breakpoint
CREATE TABLE `__new_goal_tags` (
	`user_id` integer NOT NULL,
	`tag` text NOT NULL,
	`goal_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `tag`, `goal_id`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_goal_tags` (`user_id`, `tag`, `goal_id`) SELECT `user_id`, `tag`, `goal_id` FROM `goal_tags`;--> statement-breakpoint
DROP TABLE `goal_tags`;--> statement-breakpoint
ALTER TABLE `__new_goal_tags` RENAME TO `goal_tags`;--> statement-breakpoint
CREATE INDEX `goal_tags_by_goal` ON `goal_tags` (`goal_id`);--> statement-breakpoint
CREATE TABLE `__new_repeated_requests` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`call` text NOT NULL,
	`status` integer,
	`answer` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_repeated_requests` (`user_id`, `key`, `call`, `status`, `answer`, `created_at`) SELECT `user_id`, `key`, `call`, `status`, `answer`, `created_at` FROM `repeated_requests`;--> statement-breakpoint
DROP TABLE `repeated_requests`;--> statement-breakpoint
ALTER TABLE `__new_repeated_requests` RENAME TO `repeated_requests`;--> statement-breakpoint
CREATE INDEX `repeated_requests_by_age` ON `repeated_requests` (`created_at`);--> statement-breakpoint
DROP TABLE `chat_blocks`;
