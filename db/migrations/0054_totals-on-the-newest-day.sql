-- A quick log writes six rows instead of seven: the totals of a personal goal are on its newest day (decision 77). They
-- move there with the next log.
ALTER TABLE `goal_days` ADD `total_amount` integer;--> statement-breakpoint
ALTER TABLE `goal_days` ADD `total_duration` integer;--> statement-breakpoint
ALTER TABLE `goal_days` ADD `total_distance` integer;--> statement-breakpoint
ALTER TABLE `goal_days` ADD `total_logs` integer CONSTRAINT "goal_progress_not_negative" CHECK (`total_amount` >= 0 AND `total_duration` >= 0 AND `total_distance` >= 0);
