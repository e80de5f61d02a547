-- Making a session writes eight rows instead of eleven: the session knows its host, the host's seat its entry, and the
-- counter of ids runs ahead (decision 76).
CREATE TABLE `retired_sessions` (
	`id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP INDEX `one_host_per_session`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `host_id` integer;--> statement-breakpoint
UPDATE `sessions` SET `host_id` = (SELECT `user_id` FROM `participants` h WHERE h.`session_id` = `sessions`.`id` AND h.`is_host` = 1);--> statement-breakpoint
-- A deleted session can have had a higher id than all others.
INSERT INTO `retired_sessions` SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'sessions' AND `seq` > (SELECT coalesce(max(`id`), 0) FROM `sessions`);--> statement-breakpoint
INSERT INTO `sqlite_sequence` (`name`, `seq`) SELECT 'sessions', 0 WHERE NOT EXISTS (SELECT 1 FROM `sqlite_sequence` WHERE `name` = 'sessions');--> statement-breakpoint
UPDATE `sqlite_sequence` SET `seq` = `seq` + 1000 WHERE `name` = 'sessions';--> statement-breakpoint
CREATE TRIGGER `session_id_retired` AFTER DELETE ON `sessions` WHEN NOT EXISTS (SELECT 1 FROM `sessions` WHERE `id` > OLD.`id`) BEGIN
  INSERT OR IGNORE INTO `retired_sessions` (`id`) VALUES (OLD.`id`);
END;--> statement-breakpoint
CREATE TRIGGER `host_paid_once` BEFORE INSERT ON `participants` WHEN NEW.`is_host` = 1 AND EXISTS (SELECT 1 FROM `participants` WHERE `user_id` = NEW.`user_id` AND `seat` = NEW.`seat`) BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: entry_written_once');
END;--> statement-breakpoint
CREATE TRIGGER `host_seated` AFTER INSERT ON `participants` WHEN NEW.`is_host` = 1 BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: one_host_per_session') FROM `sessions` s JOIN `participants` h ON h.`user_id` = s.`host_id` AND h.`session_id` = s.`id` AND h.`is_host` = 1 WHERE s.`id` = NEW.`session_id` AND h.`user_id` <> NEW.`user_id`;
  UPDATE `sessions` SET `host_id` = NEW.`user_id` WHERE `id` = NEW.`session_id` AND `host_id` IS NOT NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `host_changed` AFTER UPDATE OF `is_host` ON `participants` WHEN NEW.`is_host` = 1 AND OLD.`is_host` = 0 BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: one_host_per_session') FROM `sessions` s JOIN `participants` h ON h.`user_id` = s.`host_id` AND h.`session_id` = s.`id` AND h.`is_host` = 1 WHERE s.`id` = NEW.`session_id` AND h.`user_id` <> NEW.`user_id`;
  UPDATE `sessions` SET `host_id` = NEW.`user_id` WHERE `id` = NEW.`session_id` AND `host_id` IS NOT NEW.`user_id`;
END;
