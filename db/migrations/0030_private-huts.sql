-- A private hut keeps itself and what is in it from lists, search and counts. `is_private` of an activity, a session or an
-- item follows its hut by triggers; a thing whose private hut is deleted stays private.
CREATE TABLE `hut_requests` (
	`hut_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`hut_id`, `user_id`),
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `hut_requests_by_user` ON `hut_requests` (`user_id`);--> statement-breakpoint
CREATE INDEX `hut_requests_by_age` ON `hut_requests` (`created_at`);--> statement-breakpoint
DROP INDEX `activities_listed`;--> statement-breakpoint
DROP INDEX `activities_listed_by_category`;--> statement-breakpoint
ALTER TABLE `activities` ADD `is_private` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_listed` ON `activities` (`is_template`,`difficulty`,`id`) WHERE is_private = 0;--> statement-breakpoint
CREATE INDEX `activities_listed_by_category` ON `activities` (`is_template`,`category`,`difficulty`,`id`) WHERE category IS NOT NULL AND is_private = 0;--> statement-breakpoint
DROP INDEX `items_shown`;--> statement-breakpoint
ALTER TABLE `items` ADD `is_private` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `items_shown` ON `items` (`person_id`,`order_ms`) WHERE status = 1 AND is_private = 0;--> statement-breakpoint
DROP INDEX `sessions_listed`;--> statement-breakpoint
DROP INDEX `sessions_listed_by_category`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `is_private` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_listed` ON `sessions` (`is_private`,`is_template`,`difficulty`,`list_key`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_listed_by_category` ON `sessions` (`is_template`,`category`,`difficulty`,`list_key`) WHERE closed_at IS NULL AND category IS NOT NULL AND is_private = 0;--> statement-breakpoint
ALTER TABLE `huts` ADD `is_private` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `huts` ADD `invite_hash` text;--> statement-breakpoint
CREATE INDEX `huts_listed` ON `huts` (`id`) WHERE is_private = 0;--> statement-breakpoint
CREATE UNIQUE INDEX `huts_by_invitation` ON `huts` (`invite_hash`) WHERE invite_hash IS NOT NULL;--> statement-breakpoint
DROP VIEW `activity_docs`;--> statement-breakpoint
CREATE VIEW `activity_docs` AS SELECT a.id AS key, a.title, a.summary, coalesce((SELECT h.title FROM huts h WHERE h.id = a.hut_id), '') AS hut,
    char(57344) || 't' || a.is_template || ' ' || char(57344) || 'd' || a.difficulty || coalesce(' ' || char(57344) || 'h' || a.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(a.category)), '') AS filters, a.id AS id, a.hut_id FROM activities a WHERE a.is_private = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = a.hut_id AND p.is_private = 1);--> statement-breakpoint
DROP VIEW `session_docs`;--> statement-breakpoint
CREATE VIEW `session_docs` AS SELECT s.list_key AS key, s.title, iif(s.join_code = '', s.summary, '') AS summary, coalesce((SELECT h.title FROM huts h WHERE h.id = s.hut_id), '') AS hut,
    char(57344) || 't' || s.is_template || ' ' || char(57344) || 'd' || s.difficulty || coalesce(' ' || char(57344) || 'h' || s.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(s.category)), '') AS filters, s.id AS id, s.hut_id FROM sessions s WHERE s.closed_at IS NULL AND s.is_private = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = s.hut_id AND p.is_private = 1);--> statement-breakpoint
DROP VIEW `hut_docs`;--> statement-breakpoint
CREATE VIEW `hut_docs` AS SELECT h.id AS key, h.title, h.summary, '' AS hut, '' AS filters, h.id AS id FROM huts h WHERE h.is_private = 0;--> statement-breakpoint
DROP TRIGGER `activity_search_changed`;--> statement-breakpoint
CREATE TRIGGER `activity_search_changed` AFTER UPDATE OF `title`, `summary`, `hut_id`, `is_template`, `category`, `difficulty`, `is_private` ON `activities` WHEN new.is_private IS NOT old.is_private OR new.title IS NOT old.title OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `activity_words` WHERE `rowid` = old.id;
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE id = new.id;
END;--> statement-breakpoint
DROP TRIGGER `session_search_changed`;--> statement-breakpoint
CREATE TRIGGER `session_search_changed` AFTER UPDATE OF `title`, `summary`, `hut_id`, `is_template`, `category`, `difficulty`, `is_private`, `started_at`, `closed_at`, `join_code` ON `sessions` WHEN new.is_private IS NOT old.is_private OR (new.join_code = '') IS NOT (old.join_code = '') OR new.title IS NOT old.title OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.started_at IS NOT old.started_at OR new.closed_at IS NOT old.closed_at OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `session_words` WHERE `rowid` = old.list_key;
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE id = new.id;
END;--> statement-breakpoint
DROP TRIGGER `hut_search_changed`;--> statement-breakpoint
CREATE TRIGGER `hut_search_changed` AFTER UPDATE OF `title`, `summary`, `is_private` ON `huts` WHEN new.is_private IS NOT old.is_private OR new.title IS NOT old.title OR new.summary IS NOT old.summary BEGIN
  DELETE FROM `hut_words` WHERE `rowid` = old.id;
  INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` WHERE id = new.id;
END;--> statement-breakpoint
DROP TRIGGER `activity_counted`;--> statement-breakpoint
DROP TRIGGER `activity_count_moved`;--> statement-breakpoint
DROP TRIGGER `activity_count_gone`;--> statement-breakpoint
CREATE TRIGGER `activity_counted` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
-- A row may be moved before it was counted, so this may be the first to write its count.
CREATE TRIGGER `activity_count_moved` AFTER UPDATE OF `hut_id`, `is_template`, `category`, `difficulty`, `is_private` ON `activities` WHEN new.is_private IS NOT old.is_private OR new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT old.hut_id, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `activity_count_gone` AFTER DELETE ON `activities` BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT old.hut_id, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + -1;
END;--> statement-breakpoint
CREATE TRIGGER `activity_private_new` AFTER INSERT ON `activities` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `activities` SET `is_private` = 1 WHERE `id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `activity_private_moved` AFTER UPDATE OF `hut_id` ON `activities` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `activities` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_private_new` AFTER INSERT ON `sessions` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `sessions` SET `is_private` = 1 WHERE `id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_private_moved` AFTER UPDATE OF `hut_id` ON `sessions` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `sessions` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `item_private_new` AFTER INSERT ON `items` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `items` SET `is_private` = 1 WHERE `id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `item_private_moved` AFTER UPDATE OF `hut_id` ON `items` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `items` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_private_changed` AFTER UPDATE OF `is_private` ON `huts` WHEN new.is_private IS NOT old.is_private BEGIN
  UPDATE `activities` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `sessions` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `items` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
END;
