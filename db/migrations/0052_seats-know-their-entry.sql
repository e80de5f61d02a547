-- A seat writes five rows instead of six: its own key refuses a repeat, so its entry needs no index (decision 70).
ALTER TABLE `participants` ADD `entry_id` integer;--> statement-breakpoint
CREATE TRIGGER `seats_stay_paid` AFTER DELETE ON `participants` WHEN OLD.`entry_id` IS NOT NULL BEGIN
  UPDATE `token_entries` SET `reference` = `paid_for` WHERE `user_id` = OLD.`paid_by` AND `id` = OLD.`entry_id` AND `paid_for` = OLD.`seat`;
END;
