ALTER TABLE `users` ADD `distance_unit` text;--> statement-breakpoint
ALTER TABLE `goal_days` ADD `distance_mm` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `goals` ADD `distance_mm` integer;--> statement-breakpoint
ALTER TABLE `goals` ADD `distance_elapsed_mm` integer DEFAULT 0 NOT NULL CONSTRAINT "goal_distance_not_negative" CHECK(`distance_elapsed_mm` >= 0);--> statement-breakpoint
ALTER TABLE `logs` ADD `distance_mm` integer;--> statement-breakpoint
ALTER TABLE `session_totals` ADD `distance_mm` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `logs` SET `distance_mm` = CAST(round(`distance` * 1609.344) AS INTEGER) WHERE `distance` IS NOT NULL;--> statement-breakpoint
UPDATE `goal_days` SET `distance_mm` = CAST(round(`distance` * 1609.344) AS INTEGER) WHERE `distance` <> 0;--> statement-breakpoint
UPDATE `session_totals` SET `distance_mm` = CAST(round(`distance` * 1609.344) AS INTEGER) WHERE `distance` <> 0;--> statement-breakpoint
UPDATE `goals` SET `distance_mm` = CAST(round(`distance` * 1609.344) AS INTEGER) WHERE `distance` IS NOT NULL;--> statement-breakpoint
-- At least the sum of the logs, so that taking all of them back never leaves less than nothing.
UPDATE `goals` SET `distance_elapsed_mm` = max(
  CAST(round(`distance_elapsed` * 1609.344) AS INTEGER),
  (SELECT coalesce(sum(l.`distance_mm`), 0) FROM `logs` l WHERE l.`goal_id` = `goals`.`id` AND l.`status` = 2)
) WHERE `distance_elapsed` <> 0;
