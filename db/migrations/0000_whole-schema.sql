-- The whole schema: tables and indexes as db:generate writes them, with WITHOUT ROWID, search.sql and triggers.sql of
-- db/schema, and the rows that every installation has.
CREATE TABLE `confirmations` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "confirmation_kind" CHECK("confirmations"."kind" IN ('confirm', 'restore'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `confirmations_by_user` ON `confirmations` (`user_id`);--> statement-breakpoint
CREATE INDEX `confirmations_to_restore` ON `confirmations` (lower("email")) WHERE kind = 'restore';--> statement-breakpoint
CREATE TABLE `devices` (
	`token_hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`login_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `token_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `devices_by_token` ON `devices` (`token_hash`);--> statement-breakpoint
CREATE INDEX `devices_by_expiry` ON `devices` (`expires_at`);--> statement-breakpoint
CREATE TABLE `kept_names` (
	`hash` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `kept_names_by_end` ON `kept_names` (`until`);--> statement-breakpoint
CREATE TABLE `login_challenges` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "challenge_has_owner" CHECK("login_challenges"."kind" = 'passkey-login' OR "login_challenges"."user_id" IS NOT NULL)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `login_challenges_by_user` ON `login_challenges` (`user_id`);--> statement-breakpoint
CREATE INDEX `login_challenges_by_expiry` ON `login_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `logins` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`place` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`checked_at` integer,
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
	`headers` text DEFAULT '{}' NOT NULL,
	`attachments` text DEFAULT '[]' NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `passkeys_by_user` ON `passkeys` (`user_id`);--> statement-breakpoint
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
	`shows_attended` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "username_well_formed" CHECK(length("persons"."username") BETWEEN 3 AND 30)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `persons_username_unique` ON `persons` (lower("username"));--> statement-breakpoint
CREATE INDEX `persons_by_user` ON `persons` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	`created_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `repeated_requests` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`call` text NOT NULL,
	`body_hash` text DEFAULT '' NOT NULL,
	`made` integer,
	`status` integer,
	`answer` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `repeated_requests_by_age` ON `repeated_requests` (`created_at`);--> statement-breakpoint
CREATE TABLE `two_step` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`email_confirmed_at` integer,
	`username` text NOT NULL,
	`first_name` text DEFAULT '' NOT NULL,
	`last_name` text DEFAULT '' NOT NULL,
	`password_hash` text NOT NULL,
	`role_id` integer DEFAULT 1 NOT NULL,
	`person_id` integer,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`distance_unit` text,
	`new_messages` text DEFAULT 'free_tokens' NOT NULL,
	`is_new` integer DEFAULT true NOT NULL,
	`pool_redeemed_at` integer,
	`deletion_due_at` integer,
	`unread_notices` integer DEFAULT 0 NOT NULL,
	`quiet_from` integer,
	`quiet_to` integer,
	`digest` text DEFAULT 'off' NOT NULL,
	`mail_failures` integer DEFAULT 0 NOT NULL,
	`mail_failing_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (lower("username"));--> statement-breakpoint
CREATE INDEX `users_deletion_due` ON `users` (`deletion_due_at`) WHERE deletion_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`start` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`warned_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_user` ON `api_keys` (`user_id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_expiry` ON `api_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `activities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`title_pairs` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`owner_id` integer NOT NULL,
	`hut_id` integer,
	`is_private` integer DEFAULT false NOT NULL,
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
	CONSTRAINT "difficulty_known" CHECK("activities"."difficulty" IN (3, 4, 6)),
	CONSTRAINT "row_fits_content" CHECK(octet_length("activities"."content") + octet_length("activities"."content_html") + octet_length("activities"."summary") + octet_length("activities"."schedule") <= 1000000 OR octet_length("activities"."schedule") * 2 > octet_length("activities"."content") + octet_length("activities"."content_html") + octet_length("activities"."summary") + octet_length("activities"."schedule")),
	CONSTRAINT "row_fits_schedule" CHECK(octet_length("activities"."content") + octet_length("activities"."content_html") + octet_length("activities"."summary") + octet_length("activities"."schedule") <= 1000000 OR NOT octet_length("activities"."schedule") * 2 > octet_length("activities"."content") + octet_length("activities"."content_html") + octet_length("activities"."summary") + octet_length("activities"."schedule"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_slug_unique` ON `activities` (`slug`);--> statement-breakpoint
CREATE INDEX `activities_with_uploads` ON `activities` (`id`) WHERE instr(content || schedule, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `activities_listed` ON `activities` (`is_template`,`id`) WHERE is_private = 0;--> statement-breakpoint
CREATE INDEX `activities_listed_by_difficulty` ON `activities` (`is_template`,`difficulty`,`id`) WHERE is_private = 0;--> statement-breakpoint
CREATE INDEX `activities_listed_by_category` ON `activities` (`is_template`,`category`,`id`) WHERE is_private = 0 AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_listed_by_category_and_difficulty` ON `activities` (`is_template`,`category`,`difficulty`,`id`) WHERE is_private = 0 AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_in_hut` ON `activities` (`hut_id`,`is_template`,`id`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_in_hut_by_difficulty` ON `activities` (`hut_id`,`is_template`,`difficulty`,`id`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_in_hut_by_category` ON `activities` (`hut_id`,`is_template`,`category`,`id`) WHERE hut_id IS NOT NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_in_hut_by_category_and_difficulty` ON `activities` (`hut_id`,`is_template`,`category`,`difficulty`,`id`) WHERE hut_id IS NOT NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_by_owner` ON `activities` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `activity_counts` (
	`hut_id` integer NOT NULL,
	`is_template` integer DEFAULT false NOT NULL,
	`category` text NOT NULL,
	`difficulty` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`hut_id`, `is_template`, `category`, `difficulty`)
) WITHOUT ROWID;
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `followers_by_user` ON `followers` (`user_id`,`activity_id`);--> statement-breakpoint
CREATE TABLE `library` (
	`uuid` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`thing` integer,
	`installed_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE TABLE `slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `goal_days` (
	`goal_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`day` text NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`distance_mm` integer DEFAULT 0 NOT NULL,
	`distance` integer DEFAULT 0 NOT NULL,
	`logs` integer DEFAULT 0 NOT NULL,
	`is_skipped` integer DEFAULT false NOT NULL,
	`is_shared` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`goal_id`, `user_id`, `day`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `goal_days_shared` ON `goal_days` (`user_id`,`goal_id`,`day`) WHERE is_shared = 1;--> statement-breakpoint
CREATE TABLE `goal_measures` (
	`goal_id` integer NOT NULL,
	`day` text NOT NULL,
	`target` text NOT NULL,
	`recurrence` text,
	`unit` text NOT NULL,
	PRIMARY KEY(`goal_id`, `day`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `goal_tags` (
	`user_id` integer NOT NULL,
	`tag` text NOT NULL,
	`goal_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `tag`, `goal_id`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
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
	`distance_mm` integer,
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
	`remind_at` integer,
	`shared_tags` text DEFAULT '[]' NOT NULL,
	`amount_elapsed` integer DEFAULT 0 NOT NULL,
	`duration_elapsed` integer DEFAULT 0 NOT NULL,
	`distance_elapsed_mm` integer DEFAULT 0 NOT NULL,
	`distance_elapsed` integer DEFAULT 0 NOT NULL,
	`logs_count` integer DEFAULT 0 NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "goal_status_known" CHECK("goals"."status" IN (1, 2)),
	CONSTRAINT "goal_progress_not_negative" CHECK("goals"."amount_elapsed" >= 0 AND "goals"."duration_elapsed" >= 0 AND "goals"."distance_elapsed" >= 0),
	CONSTRAINT "goal_distance_not_negative" CHECK("goals"."distance_elapsed_mm" >= 0),
	CONSTRAINT "row_fits_content" CHECK(octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers") <= 1000000 OR octet_length("goals"."items") * 2 > octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers") OR octet_length("goals"."quick_log_buttons") * 2 > octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers") OR octet_length("goals"."timers") * 2 > octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers")),
	CONSTRAINT "row_fits_items" CHECK(octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers") <= 1000000 OR NOT octet_length("goals"."items") * 2 > octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers")),
	CONSTRAINT "row_fits_quick_log_buttons" CHECK(octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers") <= 1000000 OR NOT octet_length("goals"."quick_log_buttons") * 2 > octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers")),
	CONSTRAINT "row_fits_timers" CHECK(octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers") <= 1000000 OR NOT octet_length("goals"."timers") * 2 > octet_length("goals"."content") + octet_length("goals"."content_html") + octet_length("goals"."summary") + octet_length("goals"."items") + octet_length("goals"."quick_log_buttons") + octet_length("goals"."timers"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `goal_uuid_unique` ON `goals` (`uuid`);--> statement-breakpoint
CREATE INDEX `goals_with_uploads` ON `goals` (`id`) WHERE instr(content || link || items || quick_log_buttons, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `goals_by_user` ON `goals` (`user_id`,`status`,id DESC) WHERE session_id IS NULL AND activity_id IS NULL;--> statement-breakpoint
CREATE INDEX `goals_tied_by_user` ON `goals` (`user_id`,`status`,id DESC) WHERE session_id IS NULL AND activity_id IS NULL AND (copied_from_uuid IS NOT NULL OR attached_session_id IS NOT NULL);--> statement-breakpoint
CREATE INDEX `goals_to_remind` ON `goals` (`remind_at`) WHERE remind_at IS NOT NULL AND status = 1;--> statement-breakpoint
CREATE INDEX `goals_by_session` ON `goals` (`session_id`,`position`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `goals_by_activity` ON `goals` (`activity_id`,`position`) WHERE activity_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `goals_by_attachment` ON `goals` (`attached_session_id`,`user_id`) WHERE attached_session_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tag_counts` (
	`user_id` integer NOT NULL,
	`tag` text NOT NULL,
	`goals` integer NOT NULL,
	PRIMARY KEY(`user_id`, `tag`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tags_by_use` ON `tag_counts` (`user_id`,goals DESC,`tag`);--> statement-breakpoint
CREATE TABLE `logs` (
	`id` integer NOT NULL,
	`uuid` text NOT NULL,
	`goal_id` integer,
	`user_id` integer NOT NULL,
	`username` text NOT NULL,
	`session_id` integer,
	`session_goal_uuid` text,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`status` integer NOT NULL,
	`amount` integer,
	`distance_mm` integer,
	`distance` integer,
	`duration` integer,
	`is_timed` integer DEFAULT false NOT NULL,
	`elapsed_duration` integer DEFAULT 0 NOT NULL,
	`remaining_duration` integer,
	`started_at` integer,
	`ended_at` integer,
	`paused_at` integer,
	`ql_button_uuid` text,
	`timer_uuid` text,
	`is_withheld` integer DEFAULT false NOT NULL,
	`is_interval` integer DEFAULT false NOT NULL,
	`day` text NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `id`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "log_status_known" CHECK("logs"."status" IN (1, 2, 3, 4)),
	CONSTRAINT "log_elapsed_not_negative" CHECK("logs"."elapsed_duration" >= 0),
	CONSTRAINT "row_fits_content" CHECK(octet_length("logs"."content") + octet_length("logs"."content_html") + octet_length("logs"."summary") <= 1000000)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `log_uuid_unique` ON `logs` (`uuid`);--> statement-breakpoint
CREATE INDEX `logs_with_uploads` ON `logs` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `logs_by_goal` ON `logs` (`goal_id`,`id`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `logs_by_session` ON `logs` (`session_id`,`id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `logs_open` ON `logs` (`user_id`,`status`,`goal_id`,`id`) WHERE status IN (1, 3);--> statement-breakpoint
CREATE INDEX `logs_running_out` ON `logs` (`ended_at`) WHERE status = 1 AND is_interval = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `one_running_log` ON `logs` (`goal_id`,`user_id`) WHERE status = 1 AND is_timed = 1;--> statement-breakpoint
CREATE TABLE `notes` (
	`id` integer NOT NULL,
	`uuid` text,
	`user_id` integer NOT NULL,
	`goal_id` integer,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`todo` text DEFAULT '' NOT NULL,
	`done` text DEFAULT '' NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "row_fits_content" CHECK(octet_length("notes"."content") + octet_length("notes"."content_html") + octet_length("notes"."summary") + octet_length("notes"."todo") + octet_length("notes"."done") <= 1000000 OR octet_length("notes"."todo") * 2 > octet_length("notes"."content") + octet_length("notes"."content_html") + octet_length("notes"."summary") + octet_length("notes"."todo") + octet_length("notes"."done") OR octet_length("notes"."done") * 2 > octet_length("notes"."content") + octet_length("notes"."content_html") + octet_length("notes"."summary") + octet_length("notes"."todo") + octet_length("notes"."done")),
	CONSTRAINT "row_fits_todo" CHECK(octet_length("notes"."content") + octet_length("notes"."content_html") + octet_length("notes"."summary") + octet_length("notes"."todo") + octet_length("notes"."done") <= 1000000 OR NOT octet_length("notes"."todo") * 2 > octet_length("notes"."content") + octet_length("notes"."content_html") + octet_length("notes"."summary") + octet_length("notes"."todo") + octet_length("notes"."done")),
	CONSTRAINT "row_fits_done" CHECK(octet_length("notes"."content") + octet_length("notes"."content_html") + octet_length("notes"."summary") + octet_length("notes"."todo") + octet_length("notes"."done") <= 1000000 OR NOT octet_length("notes"."done") * 2 > octet_length("notes"."content") + octet_length("notes"."content_html") + octet_length("notes"."summary") + octet_length("notes"."todo") + octet_length("notes"."done"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notes_with_uploads` ON `notes` (`id`) WHERE instr(content || todo || done, '/uploads/') > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `note_uuid_unique` ON `notes` (`uuid`);--> statement-breakpoint
CREATE INDEX `notes_by_goal` ON `notes` (`goal_id`,`id`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `accepted_invitations` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`hut_id` integer NOT NULL,
	`invite_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `accepted_invitations_by_hut` ON `accepted_invitations` (`hut_id`);--> statement-breakpoint
CREATE INDEX `accepted_invitations_by_age` ON `accepted_invitations` (`created_at`);--> statement-breakpoint
CREATE TABLE `hut_members` (
	`hut_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`joined_at` integer NOT NULL,
	`role` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hut_id`, `user_id`),
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `hut_members_by_user` ON `hut_members` (`user_id`,`hut_id`);--> statement-breakpoint
CREATE INDEX `hut_moderators` ON `hut_members` (`hut_id`) WHERE role = 1;--> statement-breakpoint
CREATE TABLE `hut_requests` (
	`hut_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`hut_id`, `user_id`),
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `hut_requests_by_user` ON `hut_requests` (`user_id`);--> statement-breakpoint
CREATE INDEX `hut_requests_by_age` ON `hut_requests` (`created_at`);--> statement-breakpoint
CREATE TABLE `huts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`title_pairs` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`owner_id` integer NOT NULL,
	`user_count` integer DEFAULT 0 NOT NULL,
	`is_private` integer DEFAULT false NOT NULL,
	`invite_hash` text,
	`invite_sealed` text,
	`invited_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "members_not_negative" CHECK("huts"."user_count" >= 0),
	CONSTRAINT "row_fits_content" CHECK(octet_length("huts"."content") + octet_length("huts"."content_html") + octet_length("huts"."summary") <= 1000000)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hut_slug_unique` ON `huts` (`slug`);--> statement-breakpoint
CREATE INDEX `huts_with_uploads` ON `huts` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `huts_by_owner` ON `huts` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `huts_listed` ON `huts` (`id`) WHERE is_private = 0;--> statement-breakpoint
CREATE UNIQUE INDEX `huts_by_invitation` ON `huts` (`invite_hash`) WHERE invite_hash IS NOT NULL;--> statement-breakpoint
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
	`is_private` integer DEFAULT false NOT NULL,
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
	CONSTRAINT "item_status_known" CHECK("items"."status" IN (0, 1)),
	CONSTRAINT "row_fits_content" CHECK(octet_length("items"."content") + octet_length("items"."content_html") + octet_length("items"."summary") + octet_length("items"."url") <= 1000000)
);
--> statement-breakpoint
CREATE INDEX `items_with_uploads` ON `items` (`id`) WHERE instr(content || url, '/uploads/') > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `item_slug_unique` ON `items` (`slug`);--> statement-breakpoint
CREATE INDEX `items_in_order` ON `items` (`person_id`,`parent_id`,`order_ms`);--> statement-breakpoint
CREATE INDEX `items_by_parent` ON `items` (`parent_id`,`order_ms`);--> statement-breakpoint
CREATE INDEX `items_of_person` ON `items` (`person_id`,`order_ms`);--> statement-breakpoint
CREATE INDEX `items_shown` ON `items` (`person_id`,`order_ms`) WHERE status = 1 AND is_private = 0;--> statement-breakpoint
CREATE INDEX `items_of_hut` ON `items` (`hut_id`,`order_ms`);--> statement-breakpoint
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
	FOREIGN KEY (`person_id`) REFERENCES `persons`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "row_fits_content" CHECK(octet_length("paraphrases"."content") + octet_length("paraphrases"."content_html") + octet_length("paraphrases"."summary") <= 1000000)
);
--> statement-breakpoint
CREATE INDEX `paraphrases_with_uploads` ON `paraphrases` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `paraphrases_by_snippet` ON `paraphrases` (`snippet_id`,`id`);--> statement-breakpoint
CREATE INDEX `paraphrases_by_person` ON `paraphrases` (`person_id`,`id`);--> statement-breakpoint
CREATE TABLE `snippets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`number` integer NOT NULL,
	`content` text NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "row_fits_content" CHECK(octet_length("snippets"."content") <= 1000000)
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
CREATE TABLE `calendar_feeds` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `one_feed_per_user` ON `calendar_feeds` (`user_id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`key` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`channel` text NOT NULL,
	`actor_id` integer,
	`body` text NOT NULL,
	`due_at` integer NOT NULL,
	`state` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`lease_until` integer,
	`reason` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "delivery_state" CHECK("deliveries"."state" IN ('waiting', 'sent', 'dropped', 'failed'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`due_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `deliveries_failed` ON `deliveries` (`at`) WHERE state = 'failed';--> statement-breakpoint
CREATE TABLE `delivery_days` (
	`day` text NOT NULL,
	`state` text NOT NULL,
	`deliveries` integer NOT NULL,
	PRIMARY KEY(`day`, `state`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`actor_id` integer,
	`body` text NOT NULL,
	`mark` integer DEFAULT 0 NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `notice_settings` (
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`channel` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`, `channel`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notice_settings_by_minute` ON `notice_settings` (`value`) WHERE kind = 'still-open' AND value > 0;--> statement-breakpoint
CREATE TABLE `notices` (
	`user_id` integer NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`merged` integer DEFAULT 0 NOT NULL,
	`others` text NOT NULL,
	`at` integer NOT NULL,
	`read_at` integer,
	PRIMARY KEY(`user_id`, `id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notices_by_post` ON `notices` (body ->> '$.post') WHERE body ->> '$.post' IS NOT NULL;--> statement-breakpoint
CREATE TABLE `push_box` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint` text NOT NULL,
	`payload` text NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`login_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`login_hash`) REFERENCES `logins`(`token_hash`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `push_endpoint_once` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_user` ON `push_subscriptions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `cron_marks` (
	`job` text PRIMARY KEY NOT NULL,
	`mark` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customers` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_provider_unique` ON `customers` (`provider_id`);--> statement-breakpoint
CREATE TABLE `failed_rows` (
	`job` text NOT NULL,
	`row` text NOT NULL,
	`tries` integer DEFAULT 1 NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`job`, `row`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `failed_rows_newest` ON `failed_rows` (`at`);--> statement-breakpoint
CREATE TABLE `open_payments` (
	`payment_intent` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`look_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `open_payments_by_look_at` ON `open_payments` (`look_at`);--> statement-breakpoint
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
	`id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`lot_id` integer,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL,
	`paid_before` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `id`),
	CONSTRAINT "tokens_sufficient" CHECK("token_entries"."amount" <> 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `entry_written_once` ON `token_entries` (`reference`,`paid_before`);--> statement-breakpoint
CREATE INDEX `token_entries_owed` ON `token_entries` (`user_id`) WHERE lot_id IS NULL;--> statement-breakpoint
CREATE INDEX `token_entries_chat` ON `token_entries` (`user_id`,`created_at`) WHERE reason = 'chat';--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`action` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`user_id` integer,
	`reason` text DEFAULT '' NOT NULL,
	`previous` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `blocks` (
	`user_id` integer NOT NULL,
	`blocked_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `blocked_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blocked_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `blocks_by_blocked` ON `blocks` (`blocked_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `decisions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`author_name` text NOT NULL,
	`act` text NOT NULL,
	`reason` text NOT NULL,
	`kept` text NOT NULL,
	`path` text NOT NULL,
	`decided_at` integer NOT NULL,
	`appeal` text DEFAULT '' NOT NULL,
	`appealed_at` integer,
	`is_granted` integer,
	`answer` text DEFAULT '' NOT NULL,
	`answered_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `decisions_by_user` ON `decisions` (`user_id`,`decided_at`);--> statement-breakpoint
CREATE INDEX `appeals_open` ON `decisions` (`appealed_at`) WHERE appealed_at IS NOT NULL AND answered_at IS NULL;--> statement-breakpoint
CREATE TABLE `reports` (
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`reporter_id` integer NOT NULL,
	`reason` text NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`author_id` integer NOT NULL,
	`author_name` text NOT NULL,
	`kept` text NOT NULL,
	`path` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`closed_at` integer,
	PRIMARY KEY(`kind`, `target_id`, `reporter_id`),
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `reports_by_reporter` ON `reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE TABLE `sanctions` (
	`scope` text NOT NULL,
	`target_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`until` integer,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `target_id`, `user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sanction_known" CHECK("sanctions"."scope" IN ('session', 'series', 'hut') AND "sanctions"."kind" IN ('mute', 'ban') OR "sanctions"."scope" = 'site' AND "sanctions"."target_id" = 0 AND "sanctions"."kind" = 'ban')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sanctions_by_user` ON `sanctions` (`user_id`);--> statement-breakpoint
CREATE TABLE `rota_hosts` (
	`series_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`place` integer NOT NULL,
	`accepted_at` integer,
	`handle` text,
	PRIMARY KEY(`series_id`, `user_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rota_hosts_by_user` ON `rota_hosts` (`user_id`);--> statement-breakpoint
CREATE TABLE `series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner_id` integer NOT NULL,
	`hut_id` integer,
	`is_private` integer DEFAULT false NOT NULL,
	`title` text NOT NULL,
	`rule` text NOT NULL,
	`time_zone` text NOT NULL,
	`local_start` text NOT NULL,
	`template` text NOT NULL,
	`laid_until` integer NOT NULL,
	`paused_at` integer,
	`ended_at` integer,
	`stop` text,
	`problem` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "row_fits_template" CHECK(octet_length("series"."template") <= 1000000)
);
--> statement-breakpoint
CREATE INDEX `series_by_owner` ON `series` (`owner_id`);--> statement-breakpoint
CREATE INDEX `series_to_lay_out` ON `series` (`laid_until`) WHERE paused_at IS NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `series_with_uploads` ON `series` (`id`) WHERE instr(template, '/uploads/') > 0;--> statement-breakpoint
CREATE TABLE `series_days` (
	`series_id` integer NOT NULL,
	`day` text NOT NULL,
	`moved_to` integer,
	PRIMARY KEY(`series_id`, `day`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `standing_seats` (
	`series_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`since` integer NOT NULL,
	`skips` integer DEFAULT 0 NOT NULL,
	`code_asked_at` integer,
	PRIMARY KEY(`series_id`, `user_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `standing_seats_by_user` ON `standing_seats` (`user_id`);--> statement-breakpoint
CREATE INDEX `standing_seats_without_code` ON `standing_seats` (`code_asked_at`) WHERE code_asked_at IS NOT NULL;--> statement-breakpoint
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
	`edited_at` integer,
	`removed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "post_has_one_place" CHECK(("posts"."session_id" IS NULL) <> ("posts"."hut_id" IS NULL)),
	CONSTRAINT "row_fits_content" CHECK(octet_length("posts"."content") + octet_length("posts"."content_html") + octet_length("posts"."summary") <= 1000000)
);
--> statement-breakpoint
CREATE INDEX `posts_with_uploads` ON `posts` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `posts_by_session` ON `posts` (`session_id`,`parent_id`,`id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_hut` ON `posts` (`hut_id`,`parent_id`,`id`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_user` ON `posts` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_parent` ON `posts` (`parent_id`,`id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `attendance` (
	`user_id` integer NOT NULL,
	`session_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`seconds` integer NOT NULL,
	`has_come` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`user_id`, `session_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `chat_erasures` (
	`user_id` integer NOT NULL,
	`session_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `session_id`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `chats_to_copy` (
	`session_id` integer PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `contributions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`user_id` integer,
	`username` text,
	`content` text NOT NULL,
	`content_html` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_contribution_per_change` ON `contributions` (`session_id`,`seq`);--> statement-breakpoint
CREATE INDEX `contributions_by_user` ON `contributions` (`user_id`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contributions_with_uploads` ON `contributions` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE TABLE `log_marks` (
	`session_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`log_id` integer NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`session_id`, `uuid`)
) WITHOUT ROWID;
--> statement-breakpoint
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
	`asked_at` integer,
	`joined_start` integer,
	`handle` text,
	PRIMARY KEY(`user_id`, `session_id`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "role_known" CHECK("participants"."role" IN (0, 1))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `participants_in_order` ON `participants` (`session_id`,`joined_at`,`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `one_host_per_session` ON `participants` (`session_id`) WHERE is_host = 1;--> statement-breakpoint
CREATE TABLE `session_totals` (
	`session_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`goal_uuid` text NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`amount` integer DEFAULT 0 NOT NULL,
	`distance_mm` integer DEFAULT 0 NOT NULL,
	`distance` integer DEFAULT 0 NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`list_progress` text,
	PRIMARY KEY(`session_id`, `user_id`, `goal_uuid`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`activity_id` integer,
	`hut_id` integer,
	`is_private` integer DEFAULT false NOT NULL,
	`owner_id` integer NOT NULL,
	`title` text NOT NULL,
	`title_pairs` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`prompt` text DEFAULT '' NOT NULL,
	`category` text,
	`difficulty` integer DEFAULT 4 NOT NULL,
	`is_template` integer DEFAULT false NOT NULL,
	`is_example` integer DEFAULT false NOT NULL,
	`is_manually_started` integer DEFAULT false NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	`duration` integer NOT NULL,
	`participant_limit` integer,
	`participants_count` integer DEFAULT 0 NOT NULL,
	`donation_link` text DEFAULT '' NOT NULL,
	`meeting_link` text DEFAULT '' NOT NULL,
	`join_code` text DEFAULT '' NOT NULL,
	`is_free` integer DEFAULT false NOT NULL,
	`needs_host` integer DEFAULT false NOT NULL,
	`slow_mode` integer DEFAULT 0 NOT NULL,
	`schedule` text NOT NULL,
	`room_version` integer DEFAULT 0 NOT NULL,
	`closed_at` integer,
	`sequence` integer DEFAULT 0 NOT NULL,
	`changed_at` integer DEFAULT 0 NOT NULL,
	`told_start` integer,
	`cancelled_start` integer,
	`series_id` integer,
	`series_day` text,
	`recap` text,
	`list_key` integer GENERATED ALWAYS AS (iif(started_at IS NULL, (4294967295 << 31) + 2147483647 - id, (min(max(started_at / 1000, 0), 4294967294) << 31) + id)) VIRTUAL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "slow_mode_known" CHECK("sessions"."slow_mode" IN (0, 5, 15, 60)),
	CONSTRAINT "session_length" CHECK("sessions"."duration" BETWEEN 300 AND 2592000),
	CONSTRAINT "session_not_full" CHECK("sessions"."participant_limit" IS NULL OR "sessions"."participant_limit" = 0 OR "sessions"."participants_count" <= "sessions"."participant_limit"),
	CONSTRAINT "participants_not_negative" CHECK("sessions"."participants_count" >= 0),
	CONSTRAINT "session_ends_after_start" CHECK("sessions"."ended_at" IS NULL OR "sessions"."started_at" IS NULL OR "sessions"."ended_at" >= "sessions"."started_at"),
	CONSTRAINT "row_fits_content" CHECK(octet_length("sessions"."content") + octet_length("sessions"."content_html") + octet_length("sessions"."summary") + octet_length("sessions"."prompt") <= 1000000 OR octet_length("sessions"."prompt") * 2 > octet_length("sessions"."content") + octet_length("sessions"."content_html") + octet_length("sessions"."summary") + octet_length("sessions"."prompt")),
	CONSTRAINT "row_fits_prompt" CHECK(octet_length("sessions"."content") + octet_length("sessions"."content_html") + octet_length("sessions"."summary") + octet_length("sessions"."prompt") <= 1000000 OR NOT octet_length("sessions"."prompt") * 2 > octet_length("sessions"."content") + octet_length("sessions"."content_html") + octet_length("sessions"."summary") + octet_length("sessions"."prompt")),
	CONSTRAINT "row_fits_schedule" CHECK(octet_length("sessions"."schedule") <= 1000000)
);
--> statement-breakpoint
CREATE INDEX `sessions_with_uploads` ON `sessions` (`id`) WHERE instr(content || prompt || schedule, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `sessions_listed` ON `sessions` (`is_private`,`is_template`,`list_key`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_listed_by_difficulty` ON `sessions` (`is_private`,`is_template`,`difficulty`,`list_key`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_listed_by_category` ON `sessions` (`is_private`,`is_template`,`category`,`list_key`) WHERE closed_at IS NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_listed_by_category_and_difficulty` ON `sessions` (`is_private`,`is_template`,`category`,`difficulty`,`list_key`) WHERE closed_at IS NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_by_hut` ON `sessions` (`hut_id`,`closed_at`,`is_template`,`list_key`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_in_hut_by_difficulty` ON `sessions` (`hut_id`,`is_template`,`difficulty`,`list_key`) WHERE closed_at IS NULL AND hut_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_in_hut_by_category` ON `sessions` (`hut_id`,`is_template`,`category`,`list_key`) WHERE closed_at IS NULL AND hut_id IS NOT NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_in_hut_by_category_and_difficulty` ON `sessions` (`hut_id`,`is_template`,`category`,`difficulty`,`list_key`) WHERE closed_at IS NULL AND hut_id IS NOT NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_by_activity` ON `sessions` (`activity_id`,`closed_at`,`is_template`,`list_key`) WHERE activity_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `one_session_per_series_day` ON `sessions` (`series_id`,`series_day`) WHERE series_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_to_close` ON `sessions` (`ended_at`) WHERE closed_at IS NULL AND ended_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `waiters` (
	`session_id` integer NOT NULL,
	`since` integer NOT NULL,
	`user_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`offered_until` integer,
	`code_asked_at` integer,
	PRIMARY KEY(`session_id`, `since`, `user_id`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `one_place_per_user` ON `waiters` (`user_id`,`session_id`);--> statement-breakpoint
CREATE INDEX `waiters_with_offer` ON `waiters` (`offered_until`) WHERE offered_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `waiters_without_code` ON `waiters` (`code_asked_at`) WHERE code_asked_at IS NOT NULL;
--> statement-breakpoint
CREATE VIEW `activity_docs` AS SELECT a.id AS key, trim(a.title || ' ' || a.title_pairs) AS title, a.summary, coalesce((SELECT trim(h.title || ' ' || h.title_pairs) FROM huts h WHERE h.id = a.hut_id), '') AS hut,
    char(57344) || 't' || a.is_template || ' ' || char(57344) || 'd' || a.difficulty || coalesce(' ' || char(57344) || 'h' || a.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(a.category)), '') AS filters, a.id AS id, a.hut_id FROM activities a WHERE a.is_private = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = a.hut_id AND p.is_private = 1);
--> statement-breakpoint
CREATE VIEW `session_docs` AS SELECT s.list_key AS key, trim(s.title || ' ' || s.title_pairs) AS title, iif(s.join_code = '', s.summary, '') AS summary, coalesce((SELECT trim(h.title || ' ' || h.title_pairs) FROM huts h WHERE h.id = s.hut_id), '') AS hut,
    char(57344) || 't' || s.is_template || ' ' || char(57344) || 'd' || s.difficulty || coalesce(' ' || char(57344) || 'h' || s.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(s.category)), '') AS filters, s.id AS id, s.hut_id FROM sessions s WHERE s.closed_at IS NULL AND s.is_private = 0 AND s.is_example = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = s.hut_id AND p.is_private = 1);
--> statement-breakpoint
CREATE VIEW `hut_docs` AS SELECT h.id AS key, trim(h.title || ' ' || h.title_pairs) AS title, h.summary, '' AS hut, '' AS filters, h.id AS id FROM huts h WHERE h.is_private = 0;
--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
--> statement-breakpoint
CREATE VIRTUAL TABLE `session_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
--> statement-breakpoint
CREATE VIRTUAL TABLE `hut_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_terms` USING fts5vocab(`activity_words`, 'row');
--> statement-breakpoint
CREATE VIRTUAL TABLE `session_terms` USING fts5vocab(`session_words`, 'row');
--> statement-breakpoint
CREATE VIRTUAL TABLE `hut_terms` USING fts5vocab(`hut_words`, 'row');
--> statement-breakpoint
CREATE VIEW `goal_docs` AS SELECT g.id AS key, char(57344) || g.user_id || char(57344) || replace(g.search_text, ' ', ' ' || char(57344) || g.user_id || char(57344)) || ' ' || char(57344) || g.user_id || char(57344) || char(57344) || 's' || g.status AS words, g.id AS id FROM goals g WHERE g.session_id IS NULL AND g.activity_id IS NULL;
--> statement-breakpoint
CREATE VIEW `note_docs` AS SELECT (SELECT min(free.key) FROM (SELECT n.id AS key UNION ALL SELECT w.rowid + 1 FROM note_words w WHERE w.rowid BETWEEN n.id AND n.id + 998) free WHERE NOT EXISTS (SELECT 1 FROM note_words w WHERE w.rowid = free.key)) AS key, char(57344) || n.user_id || char(57344) || replace(n.search_text, ' ', ' ' || char(57344) || n.user_id || char(57344)) AS words, n.user_id AS user_id, n.id AS id FROM notes n WHERE n.search_text <> '';
--> statement-breakpoint
CREATE VIEW `log_docs` AS SELECT (SELECT min(free.key) FROM (SELECT l.id AS key UNION ALL SELECT w.rowid + 1 FROM log_words w WHERE w.rowid BETWEEN l.id AND l.id + 998) free WHERE NOT EXISTS (SELECT 1 FROM log_words w WHERE w.rowid = free.key)) AS key, char(57344) || l.user_id || char(57344) || replace(l.search_text, ' ', ' ' || char(57344) || l.user_id || char(57344)) AS words, l.user_id AS user_id, l.id AS id FROM logs l WHERE l.search_text <> '';
--> statement-breakpoint
CREATE VIRTUAL TABLE `goal_words` USING fts5(`words`, content = '', contentless_delete = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
--> statement-breakpoint
CREATE VIRTUAL TABLE `note_words` USING fts5(`words`, `user_id` UNINDEXED, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
--> statement-breakpoint
CREATE VIRTUAL TABLE `log_words` USING fts5(`words`, `user_id` UNINDEXED, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
--> statement-breakpoint
CREATE TRIGGER `users_email_kept_new` BEFORE INSERT ON `users` WHEN EXISTS (
  SELECT 1 FROM `confirmations` WHERE `kind` = 'restore' AND lower(`email`) = lower(NEW.`email`) AND `used_at` IS NULL AND `expires_at` > NEW.`updated_at`
) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: users_email_unique'); END;
--> statement-breakpoint
CREATE TRIGGER `users_email_kept_changed` BEFORE UPDATE OF `email` ON `users` WHEN EXISTS (
  SELECT 1 FROM `confirmations` WHERE `kind` = 'restore' AND lower(`email`) = lower(NEW.`email`) AND `used_at` IS NULL AND `expires_at` > NEW.`updated_at` AND `user_id` <> NEW.`id`
) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: users_email_unique'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_is_kept` BEFORE DELETE ON `audit` WHEN OLD.`at` >= unixepoch() * 1000 - 63072000000
BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: audit_is_kept'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_never_changes` BEFORE UPDATE ON `audit`
BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: audit_never_changes'); END;
--> statement-breakpoint
CREATE TRIGGER `sanctions_of_session` AFTER DELETE ON `sessions`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'session' AND `target_id` = OLD.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `sanctions_of_series` AFTER DELETE ON `series`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'series' AND `target_id` = OLD.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `sanctions_of_hut` AFTER DELETE ON `huts`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'hut' AND `target_id` = OLD.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `series_day_of_deleted` AFTER DELETE ON `sessions` WHEN OLD.`series_id` IS NOT NULL
BEGIN INSERT OR IGNORE INTO `series_days` (`series_id`, `day`) SELECT OLD.`series_id`, OLD.`series_day` WHERE EXISTS (SELECT 1 FROM `series` WHERE `id` = OLD.`series_id`); END;
--> statement-breakpoint
CREATE TRIGGER `activity_private_new` AFTER INSERT ON `activities` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `activities` SET `is_private` = 1 WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `activity_private_moved` AFTER UPDATE OF `hut_id` ON `activities` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `activities` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `session_private_new` AFTER INSERT ON `sessions` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `sessions` SET `is_private` = 1 WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `session_private_moved` AFTER UPDATE OF `hut_id` ON `sessions` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `sessions` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `item_private_new` AFTER INSERT ON `items` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `items` SET `is_private` = 1 WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `item_private_moved` AFTER UPDATE OF `hut_id` ON `items` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `items` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `activity_counted` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `activity_count_moved` AFTER UPDATE OF `hut_id`, `is_template`, `category`, `difficulty`, `is_private` ON `activities` WHEN new.is_private IS NOT old.is_private OR new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT old.hut_id, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `activity_count_gone` AFTER DELETE ON `activities` BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT old.hut_id, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + -1;
END;
--> statement-breakpoint
CREATE TRIGGER `activity_search_new` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `activity_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `summary`, `hut_id`, `is_template`, `category`, `difficulty`, `is_private` ON `activities` WHEN new.is_private IS NOT old.is_private OR new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `activity_words` WHERE `rowid` = old.id;
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `activity_search_gone` AFTER DELETE ON `activities` BEGIN
  DELETE FROM `activity_words` WHERE `rowid` = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `session_search_new` AFTER INSERT ON `sessions` WHEN new.closed_at IS NULL BEGIN
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `session_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `summary`, `hut_id`, `is_template`, `category`, `difficulty`, `is_private`, `started_at`, `closed_at`, `join_code` ON `sessions` WHEN new.is_private IS NOT old.is_private OR (new.join_code = '') IS NOT (old.join_code = '') OR new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.started_at IS NOT old.started_at OR new.closed_at IS NOT old.closed_at OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `session_words` WHERE `rowid` = old.list_key;
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `session_search_gone` AFTER DELETE ON `sessions` WHEN old.closed_at IS NULL BEGIN
  DELETE FROM `session_words` WHERE `rowid` = old.list_key;
END;
--> statement-breakpoint
CREATE TRIGGER `hut_search_new` AFTER INSERT ON `huts` BEGIN
  INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `hut_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `summary`, `is_private` ON `huts` WHEN new.is_private IS NOT old.is_private OR new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.summary IS NOT old.summary BEGIN
  DELETE FROM `hut_words` WHERE `rowid` = old.id;
  INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `hut_search_gone` AFTER DELETE ON `huts` BEGIN
  DELETE FROM `hut_words` WHERE `rowid` = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `hut_search_renamed` AFTER UPDATE OF `title`, `title_pairs` ON `huts` WHEN new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs BEGIN
  DELETE FROM `activity_words` WHERE `rowid` IN (SELECT key FROM `activity_docs` WHERE hut_id = new.id);
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE hut_id = new.id;
  DELETE FROM `session_words` WHERE `rowid` IN (SELECT key FROM `session_docs` WHERE hut_id = new.id);
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE hut_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `goal_tagged` AFTER INSERT ON `goal_tags` BEGIN
  INSERT INTO `tag_counts` (`user_id`, `tag`, `goals`) VALUES (new.user_id, new.tag, 1) ON CONFLICT DO UPDATE SET `goals` = `goals` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `goal_untagged` AFTER DELETE ON `goal_tags` BEGIN
  UPDATE `tag_counts` SET `goals` = `goals` - 1 WHERE `user_id` = old.user_id AND `tag` = old.tag;
  DELETE FROM `tag_counts` WHERE `user_id` = old.user_id AND `tag` = old.tag AND `goals` < 1;
END;
--> statement-breakpoint
CREATE TRIGGER `hut_private_changed` AFTER UPDATE OF `is_private` ON `huts` WHEN new.is_private IS NOT old.is_private BEGIN
  UPDATE `activities` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `sessions` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `items` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `series` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `series_private_new` AFTER INSERT ON `series` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `series` SET `is_private` = 1 WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `series_private_moved` AFTER UPDATE OF `hut_id` ON `series` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `series` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `log_mark_gone` AFTER DELETE ON `logs` WHEN OLD.`session_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `sessions` WHERE `id` = OLD.`session_id`)
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) VALUES (OLD.`session_id`, OLD.`uuid`, OLD.`id`, random() & 2147483647) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `log_mark_renamed` AFTER UPDATE OF `title`, `action`, `unit` ON `goals` WHEN NEW.`title` IS NOT OLD.`title` OR NEW.`action` IS NOT OLD.`action` OR NEW.`unit` IS NOT OLD.`unit`
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) SELECT `session_id`, `uuid`, `id`, random() & 2147483647 FROM `logs` WHERE `goal_id` = NEW.`id` AND `session_id` IN (SELECT `id` FROM `sessions`) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `log_marks_of_session` AFTER DELETE ON `sessions`
BEGIN DELETE FROM `log_marks` WHERE `session_id` = OLD.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `log_mark_changed` AFTER UPDATE ON `logs` WHEN NEW.`session_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `sessions` WHERE `id` = NEW.`session_id`)
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) VALUES (NEW.`session_id`, NEW.`uuid`, NEW.`id`, random() & 2147483647) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `goal_search_new` AFTER INSERT ON `goals` BEGIN
  INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `goal_search_changed` AFTER UPDATE OF `search_text`, `status` ON `goals` WHEN new.search_text IS NOT old.search_text OR new.status IS NOT old.status BEGIN
  DELETE FROM `goal_words` WHERE `rowid` = old.id;
  INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `goal_search_gone` AFTER DELETE ON `goals` BEGIN
  DELETE FROM `goal_words` WHERE `rowid` = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `note_search_new` AFTER INSERT ON `notes` WHEN new.search_text <> '' BEGIN
  INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `note_docs` WHERE user_id = new.user_id AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `note_search_changed` AFTER UPDATE OF `search_text` ON `notes` WHEN new.search_text IS NOT old.search_text BEGIN
  DELETE FROM `note_words` WHERE `rowid` IN (SELECT w.rowid FROM `note_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
  INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `note_docs` WHERE user_id = new.user_id AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `note_search_gone` AFTER DELETE ON `notes` WHEN old.search_text <> '' BEGIN
  DELETE FROM `note_words` WHERE `rowid` IN (SELECT w.rowid FROM `note_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
END;
--> statement-breakpoint
CREATE TRIGGER `log_search_new` AFTER INSERT ON `logs` WHEN new.search_text <> '' BEGIN
  INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `log_docs` WHERE user_id = new.user_id AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `log_search_changed` AFTER UPDATE OF `search_text` ON `logs` WHEN new.search_text IS NOT old.search_text BEGIN
  DELETE FROM `log_words` WHERE `rowid` IN (SELECT w.rowid FROM `log_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
  INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `log_docs` WHERE user_id = new.user_id AND id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `log_search_gone` AFTER DELETE ON `logs` WHEN old.search_text <> '' BEGIN
  DELETE FROM `log_words` WHERE `rowid` IN (SELECT w.rowid FROM `log_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
END;
--> statement-breakpoint
CREATE TRIGGER `post_notices_removed` AFTER UPDATE OF `removed_at` ON `posts` WHEN NEW.`removed_at` IS NOT NULL AND OLD.`removed_at` IS NULL
BEGIN
  UPDATE `notices` SET `others` = (SELECT json_group_array(json(value)) FROM json_each(`others`) WHERE value ->> '$.post' IS NOT NEW.`id`), `merged` = max(0, `merged` - 1)
    WHERE `body` ->> '$.post' IN (SELECT `id` FROM `posts` WHERE `parent_id` = NEW.`parent_id`) AND EXISTS (SELECT 1 FROM json_each(`others`) WHERE value ->> '$.post' = NEW.`id`);
  UPDATE `notices` SET `body` = json_patch(`body`, `others` -> '$[0]'), `others` = json_remove(`others`, '$[0]'), `merged` = max(0, `merged` - 1)
    WHERE `body` ->> '$.post' = NEW.`id` AND `others` -> '$[0]' ->> '$.post' IS NOT NULL;
  UPDATE `users` SET `unread_notices` = max(0, `unread_notices` - (SELECT count(*) FROM `notices` n WHERE n.`body` ->> '$.post' = NEW.`id` AND n.`user_id` = `users`.`id` AND n.`read_at` IS NULL))
    WHERE `id` IN (SELECT n.`user_id` FROM `notices` n WHERE n.`body` ->> '$.post' = NEW.`id` AND n.`read_at` IS NULL);
  DELETE FROM `notices` WHERE `body` ->> '$.post' = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `post_notices_gone` AFTER DELETE ON `posts`
BEGIN
  UPDATE `users` SET `unread_notices` = max(0, `unread_notices` - (SELECT count(*) FROM `notices` n WHERE n.`body` ->> '$.post' = OLD.`id` AND n.`user_id` = `users`.`id` AND n.`read_at` IS NULL))
    WHERE `id` IN (SELECT n.`user_id` FROM `notices` n WHERE n.`body` ->> '$.post' = OLD.`id` AND n.`read_at` IS NULL);
  DELETE FROM `notices` WHERE `body` ->> '$.post' = OLD.`id`;
END;
--> statement-breakpoint
INSERT INTO `categories` (`slug`, `title`) VALUES
  ('move', 'Move'),
  ('make', 'Make'),
  ('learn', 'Learn'),
  ('read', 'Read'),
  ('write', 'Write'),
  ('focus', 'Focus'),
  ('rest', 'Rest'),
  ('home', 'Home'),
  ('together', 'Together');
