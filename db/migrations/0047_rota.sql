CREATE TABLE `rota_hosts` (
	`series_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`place` integer NOT NULL,
	`accepted_at` integer,
	PRIMARY KEY(`series_id`, `user_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rota_hosts_by_user` ON `rota_hosts` (`user_id`);