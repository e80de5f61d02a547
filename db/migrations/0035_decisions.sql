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
CREATE INDEX `appeals_open` ON `decisions` (`appealed_at`) WHERE appealed_at IS NOT NULL AND answered_at IS NULL;