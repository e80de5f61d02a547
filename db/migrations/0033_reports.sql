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
CREATE INDEX `reports_open` ON `reports` (`created_at`) WHERE closed_at IS NULL;