CREATE TABLE `guest_bans` (
	`session_id` integer NOT NULL,
	`hash` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`session_id`, `hash`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `guest_bans_by_end` ON `guest_bans` (`until`);--> statement-breakpoint
ALTER TABLE `users` ADD `guest_of` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `ends_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `guest_network` text;--> statement-breakpoint
CREATE INDEX `users_by_guest` ON `users` (`guest_of`) WHERE guest_of IS NOT NULL;--> statement-breakpoint
ALTER TABLE `participants` ADD `guest_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `participants` ADD `guest_look` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `one_guest_per_name` ON `participants` (`session_id`,lower("guest_look")) WHERE guest_look <> '';--> statement-breakpoint
ALTER TABLE `sessions` ADD `guest_limit` integer DEFAULT 0 NOT NULL;