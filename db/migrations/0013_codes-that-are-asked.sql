ALTER TABLE `standing_seats` ADD `code_asked_at` integer;--> statement-breakpoint
CREATE INDEX `standing_seats_without_code` ON `standing_seats` (`code_asked_at`) WHERE code_asked_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `waiters` ADD `code_asked_at` integer;--> statement-breakpoint
CREATE INDEX `waiters_without_code` ON `waiters` (`code_asked_at`) WHERE code_asked_at IS NOT NULL;