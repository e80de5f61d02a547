ALTER TABLE `posts` ADD `edited_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `removed_at` integer;