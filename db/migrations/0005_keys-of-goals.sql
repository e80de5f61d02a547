ALTER TABLE `api_keys` ADD `goal_id` integer REFERENCES goals(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `api_keys_by_goal` ON `api_keys` (`goal_id`) WHERE goal_id IS NOT NULL;