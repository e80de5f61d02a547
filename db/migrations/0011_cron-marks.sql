CREATE TABLE `cron_marks` (
	`job` text PRIMARY KEY NOT NULL,
	`mark` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `open_payments` (
	`payment_intent` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`look_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `open_payments_by_look_at` ON `open_payments` (`look_at`);--> statement-breakpoint
CREATE INDEX `activities_with_uploads` ON `activities` (`id`) WHERE instr(content || schedule, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `goals_with_uploads` ON `goals` (`id`) WHERE instr(content || link, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `huts_with_uploads` ON `huts` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `items_with_uploads` ON `items` (`id`) WHERE instr(content || url, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `paraphrases_with_uploads` ON `paraphrases` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `logs_with_uploads` ON `logs` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `notes_with_uploads` ON `notes` (`id`) WHERE instr(content || todo || done, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `posts_with_uploads` ON `posts` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `sessions_with_uploads` ON `sessions` (`id`) WHERE instr(content || prompt || schedule, '/uploads/') > 0;