ALTER TABLE `participants` ADD `aim` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `participants` ADD `aim_goal_id` integer;