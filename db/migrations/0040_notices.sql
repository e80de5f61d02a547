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
ALTER TABLE `users` ADD `unread_notices` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `quiet_from` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `quiet_to` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `digest` text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `mail_failing_at` integer;--> statement-breakpoint
ALTER TABLE `goals` ADD `remind_at` integer;--> statement-breakpoint
CREATE INDEX `goals_to_remind` ON `goals` (`remind_at`) WHERE remind_at IS NOT NULL AND status = 1;