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
ALTER TABLE `huts` ADD `invite_sealed` text;--> statement-breakpoint
ALTER TABLE `huts` ADD `invited_by` integer REFERENCES users(id) ON DELETE set null;