CREATE TABLE `waiters` (
	`session_id` integer NOT NULL,
	`since` integer NOT NULL,
	`user_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`offered_until` integer,
	PRIMARY KEY(`session_id`, `since`, `user_id`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `one_place_per_user` ON `waiters` (`user_id`,`session_id`);--> statement-breakpoint
CREATE INDEX `waiters_with_offer` ON `waiters` (`offered_until`) WHERE offered_until IS NOT NULL;