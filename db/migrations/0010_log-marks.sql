CREATE TABLE `log_marks` (
	`session_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`log_id` integer NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`session_id`, `uuid`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `goals_with_uploads`;--> statement-breakpoint
CREATE INDEX `goals_with_uploads` ON `goals` (`id`) WHERE instr(content || link || items || quick_log_buttons, '/uploads/') > 0;--> statement-breakpoint
CREATE TRIGGER `log_mark_changed` AFTER UPDATE ON `logs` WHEN NEW.`session_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `sessions` WHERE `id` = NEW.`session_id`)
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) VALUES (NEW.`session_id`, NEW.`uuid`, NEW.`id`, random() & 2147483647) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;--> statement-breakpoint
CREATE TRIGGER `log_mark_gone` AFTER DELETE ON `logs` WHEN OLD.`session_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `sessions` WHERE `id` = OLD.`session_id`)
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) VALUES (OLD.`session_id`, OLD.`uuid`, OLD.`id`, random() & 2147483647) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;--> statement-breakpoint
CREATE TRIGGER `log_mark_renamed` AFTER UPDATE OF `title`, `action`, `unit` ON `goals` WHEN NEW.`title` IS NOT OLD.`title` OR NEW.`action` IS NOT OLD.`action` OR NEW.`unit` IS NOT OLD.`unit`
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) SELECT `session_id`, `uuid`, `id`, random() & 2147483647 FROM `logs` WHERE `goal_id` = NEW.`id` AND `session_id` IN (SELECT `id` FROM `sessions`) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;--> statement-breakpoint
CREATE TRIGGER `log_marks_of_session` AFTER DELETE ON `sessions`
BEGIN DELETE FROM `log_marks` WHERE `session_id` = OLD.`id`; END;
