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
ALTER TABLE `sessions` ADD `recap` text;