ALTER TABLE `token_entries` ADD `paid_before` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `token_entries` SET `paid_before` = (
  SELECT coalesce(sum(abs(e.`amount`)), 0) FROM `token_entries` e
  WHERE e.`reference` = `token_entries`.`reference` AND e.`id` < `token_entries`.`id`
);--> statement-breakpoint
DROP INDEX `entry_written_once`;--> statement-breakpoint
CREATE UNIQUE INDEX `entry_written_once` ON `token_entries` (`reference`,`paid_before`);
