ALTER TABLE `hut_members` ADD `role` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `hut_moderators` ON `hut_members` (`hut_id`) WHERE role = 1;