DROP INDEX `goals_by_user`;--> statement-breakpoint
CREATE INDEX `goals_by_user` ON `goals` (`user_id`,`status`,`id`) WHERE session_id IS NULL AND activity_id IS NULL;--> statement-breakpoint
DROP INDEX `logs_by_user`;--> statement-breakpoint
DROP INDEX `logs_by_goal`;--> statement-breakpoint
DROP INDEX `logs_by_session`;--> statement-breakpoint
ALTER TABLE `logs` ADD `timer_uuid` text;--> statement-breakpoint
ALTER TABLE `logs` ADD `goal_place` integer;--> statement-breakpoint
ALTER TABLE `logs` ADD `user_place` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `logs` ADD `session_place` integer;--> statement-breakpoint
CREATE INDEX `logs_open` ON `logs` (`user_id`,`goal_id`,`id`) WHERE status IN (1, 3);--> statement-breakpoint
CREATE INDEX `logs_by_user` ON `logs` (`user_id`,`user_place`);--> statement-breakpoint
CREATE INDEX `logs_by_goal` ON `logs` (`goal_id`,`goal_place`);--> statement-breakpoint
CREATE INDEX `logs_by_session` ON `logs` (`session_id`,`session_place`);--> statement-breakpoint
DROP INDEX `notes_by_user`;--> statement-breakpoint
DROP INDEX `notes_by_goal`;--> statement-breakpoint
ALTER TABLE `notes` ADD `user_place` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `notes` ADD `goal_place` integer;--> statement-breakpoint
CREATE INDEX `notes_by_user` ON `notes` (`user_id`,`user_place`);--> statement-breakpoint
CREATE INDEX `notes_by_goal` ON `notes` (`goal_id`,`goal_place`);--> statement-breakpoint
ALTER TABLE `goal_days` ADD `is_skipped` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `logs` SET
  `goal_place` = (SELECT count(*) FROM `logs` b WHERE b.`goal_id` = `logs`.`goal_id` AND b.`id` <= `logs`.`id`),
  `user_place` = (SELECT count(*) FROM `logs` b WHERE b.`user_id` = `logs`.`user_id` AND b.`id` <= `logs`.`id`),
  `session_place` = (SELECT count(*) FROM `logs` b WHERE b.`session_id` = `logs`.`session_id` AND b.`id` <= `logs`.`id`);--> statement-breakpoint
UPDATE `notes` SET
  `goal_place` = (SELECT count(*) FROM `notes` b WHERE b.`goal_id` = `notes`.`goal_id` AND b.`id` <= `notes`.`id`),
  `user_place` = (SELECT count(*) FROM `notes` b WHERE b.`user_id` = `notes`.`user_id` AND b.`id` <= `notes`.`id`);
