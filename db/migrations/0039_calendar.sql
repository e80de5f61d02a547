CREATE TABLE `calendar_feeds` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `one_feed_per_user` ON `calendar_feeds` (`user_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `sequence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `changed_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `cancelled_start` integer;--> statement-breakpoint
UPDATE `sessions` SET `changed_at` = `updated_at`;
