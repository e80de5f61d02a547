DROP INDEX `goals_by_user`;--> statement-breakpoint
ALTER TABLE `goals` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `goals_by_user` ON `goals` (`user_id`,`status`,id DESC) WHERE session_id IS NULL AND activity_id IS NULL;