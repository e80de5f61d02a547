CREATE TABLE `confirmations` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "confirmation_kind" CHECK("confirmations"."kind" IN ('confirm', 'restore'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `confirmations_by_user` ON `confirmations` (`user_id`);--> statement-breakpoint
CREATE INDEX `confirmations_to_restore` ON `confirmations` (lower("email")) WHERE kind = 'restore';--> statement-breakpoint
ALTER TABLE `users` ADD `email_confirmed_at` integer;--> statement-breakpoint
-- No other account may take an email that an account can still restore. `updated_at` is the instant of the write.
CREATE TRIGGER `users_email_kept_new` BEFORE INSERT ON `users` WHEN EXISTS (
  SELECT 1 FROM `confirmations` WHERE `kind` = 'restore' AND lower(`email`) = lower(NEW.`email`) AND `used_at` IS NULL AND `expires_at` > NEW.`updated_at`
) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: users_email_unique'); END;--> statement-breakpoint
CREATE TRIGGER `users_email_kept_changed` BEFORE UPDATE OF `email` ON `users` WHEN EXISTS (
  SELECT 1 FROM `confirmations` WHERE `kind` = 'restore' AND lower(`email`) = lower(NEW.`email`) AND `used_at` IS NULL AND `expires_at` > NEW.`updated_at` AND `user_id` <> NEW.`id`
) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: users_email_unique'); END;
