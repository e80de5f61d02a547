-- Lists are sorted by plain columns with plain indexes; logs, notes and posts lose their stored ranks. The full-text
-- index holds the words and filters of a row, and its rowid is the sort key. The tables have new names, because
-- SQLite does not drop the content table of such an index.
DROP TRIGGER `session_search_new`;--> statement-breakpoint
DROP TRIGGER `session_search_changed`;--> statement-breakpoint
DROP TRIGGER `session_search_gone`;--> statement-breakpoint
DROP TRIGGER `activity_search_new`;--> statement-breakpoint
DROP TRIGGER `activity_search_changed`;--> statement-breakpoint
DROP TRIGGER `activity_search_gone`;--> statement-breakpoint
DROP TRIGGER `hut_search_new`;--> statement-breakpoint
DROP TRIGGER `hut_search_changed`;--> statement-breakpoint
DROP TRIGGER `hut_search_gone`;--> statement-breakpoint
DROP TRIGGER `hut_search_renamed`;--> statement-breakpoint
DROP VIEW `activity_docs`;--> statement-breakpoint
DROP VIEW `session_docs`;--> statement-breakpoint
DROP VIEW `hut_docs`;--> statement-breakpoint
DROP TABLE `activity_terms`;--> statement-breakpoint
DROP TABLE `session_terms`;--> statement-breakpoint
DROP TABLE `hut_terms`;--> statement-breakpoint
INSERT INTO `activity_search` (`activity_search`) VALUES ('delete-all');--> statement-breakpoint
DROP TABLE `activity_search`;--> statement-breakpoint
INSERT INTO `session_search` (`session_search`) VALUES ('delete-all');--> statement-breakpoint
DROP TABLE `session_search`;--> statement-breakpoint
INSERT INTO `hut_search` (`hut_search`) VALUES ('delete-all');--> statement-breakpoint
DROP TABLE `hut_search`;--> statement-breakpoint
CREATE TABLE `activity_counts` (
	`hut_id` integer NOT NULL,
	`is_template` integer DEFAULT false NOT NULL,
	`category` text NOT NULL,
	`difficulty` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`hut_id`, `is_template`, `category`, `difficulty`)
) WITHOUT ROWID;--> statement-breakpoint
DROP INDEX `activities_newest`;--> statement-breakpoint
DROP INDEX `activities_by_hut`;--> statement-breakpoint
CREATE INDEX `activities_listed` ON `activities` (`is_template`,`difficulty`,`id`);--> statement-breakpoint
CREATE INDEX `activities_listed_by_category` ON `activities` (`is_template`,`category`,`difficulty`,`id`) WHERE category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_listed_in_hut` ON `activities` (`hut_id`,`is_template`,`difficulty`,`id`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activities_listed_in_hut_by_category` ON `activities` (`hut_id`,`is_template`,`category`,`difficulty`,`id`) WHERE hut_id IS NOT NULL AND category IS NOT NULL;--> statement-breakpoint
DROP INDEX `sessions_by_owner`;--> statement-breakpoint
DROP INDEX `sessions_to_open`;--> statement-breakpoint
DROP INDEX `sessions_by_activity`;--> statement-breakpoint
DROP INDEX `sessions_by_hut`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `list_key` integer GENERATED ALWAYS AS (iif(started_at IS NULL, (4294967295 << 31) + 2147483647 - id, (min(max(started_at / 1000, 0), 4294967294) << 31) + id)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `sessions_listed` ON `sessions` (`is_template`,`difficulty`,`list_key`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_listed_by_category` ON `sessions` (`is_template`,`category`,`difficulty`,`list_key`) WHERE closed_at IS NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_listed_in_hut_by_category` ON `sessions` (`hut_id`,`is_template`,`category`,`difficulty`,`list_key`) WHERE closed_at IS NULL AND hut_id IS NOT NULL AND category IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_by_activity` ON `sessions` (`activity_id`,`closed_at`,`is_template`,`list_key`) WHERE activity_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_by_hut` ON `sessions` (`hut_id`,`closed_at`,`is_template`,`difficulty`,`list_key`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `logs_by_user`;--> statement-breakpoint
DROP INDEX `logs_by_goal`;--> statement-breakpoint
DROP INDEX `logs_by_session`;--> statement-breakpoint
CREATE INDEX `logs_by_user` ON `logs` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `logs_by_goal` ON `logs` (`goal_id`,`id`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `logs_by_session` ON `logs` (`session_id`,`id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `logs` DROP COLUMN `goal_place`;--> statement-breakpoint
ALTER TABLE `logs` DROP COLUMN `user_place`;--> statement-breakpoint
ALTER TABLE `logs` DROP COLUMN `session_place`;--> statement-breakpoint
DROP INDEX `notes_by_user`;--> statement-breakpoint
DROP INDEX `notes_by_goal`;--> statement-breakpoint
CREATE INDEX `notes_by_user` ON `notes` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `notes_by_goal` ON `notes` (`goal_id`,`id`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `notes` DROP COLUMN `user_place`;--> statement-breakpoint
ALTER TABLE `notes` DROP COLUMN `goal_place`;--> statement-breakpoint
DROP INDEX `posts_by_session`;--> statement-breakpoint
DROP INDEX `posts_by_hut`;--> statement-breakpoint
CREATE INDEX `posts_by_session` ON `posts` (`session_id`,`parent_id`,`id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_hut` ON `posts` (`hut_id`,`parent_id`,`id`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` DROP COLUMN `place`;--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_terms` USING fts5vocab(`activity_words`, 'row');--> statement-breakpoint
CREATE VIEW `activity_docs` AS SELECT a.id AS key, a.title, a.summary, coalesce((SELECT h.title FROM huts h WHERE h.id = a.hut_id), '') AS hut,
    char(57344) || 't' || a.is_template || ' ' || char(57344) || 'd' || a.difficulty || coalesce(' ' || char(57344) || 'h' || a.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(a.category)), '') AS filters, a.id AS id, a.hut_id FROM activities a;--> statement-breakpoint
CREATE VIRTUAL TABLE `session_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
CREATE VIRTUAL TABLE `session_terms` USING fts5vocab(`session_words`, 'row');--> statement-breakpoint
CREATE VIEW `session_docs` AS SELECT s.list_key AS key, s.title, iif(s.join_code = '', s.summary, '') AS summary, coalesce((SELECT h.title FROM huts h WHERE h.id = s.hut_id), '') AS hut,
    char(57344) || 't' || s.is_template || ' ' || char(57344) || 'd' || s.difficulty || coalesce(' ' || char(57344) || 'h' || s.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(s.category)), '') AS filters, s.id AS id, s.hut_id FROM sessions s WHERE s.closed_at IS NULL;--> statement-breakpoint
CREATE VIRTUAL TABLE `hut_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
CREATE VIRTUAL TABLE `hut_terms` USING fts5vocab(`hut_words`, 'row');--> statement-breakpoint
CREATE VIEW `hut_docs` AS SELECT h.id AS key, h.title, h.summary, '' AS hut, '' AS filters, h.id AS id FROM huts h;--> statement-breakpoint
INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` ORDER BY key;--> statement-breakpoint
INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` ORDER BY key;--> statement-breakpoint
INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` ORDER BY key;--> statement-breakpoint
CREATE TRIGGER `activity_search_new` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `activity_search_changed` AFTER UPDATE OF `title`, `summary`, `hut_id`, `is_template`, `category`, `difficulty` ON `activities` WHEN new.title IS NOT old.title OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `activity_words` WHERE `rowid` = old.id;
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `activity_search_gone` AFTER DELETE ON `activities` BEGIN
  DELETE FROM `activity_words` WHERE `rowid` = old.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_new` AFTER INSERT ON `sessions` WHEN new.closed_at IS NULL BEGIN
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_changed` AFTER UPDATE OF `title`, `summary`, `hut_id`, `is_template`, `category`, `difficulty`, `started_at`, `closed_at`, `join_code` ON `sessions` WHEN (new.join_code = '') IS NOT (old.join_code = '') OR new.title IS NOT old.title OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.started_at IS NOT old.started_at OR new.closed_at IS NOT old.closed_at OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `session_words` WHERE `rowid` = old.list_key;
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_gone` AFTER DELETE ON `sessions` WHEN old.closed_at IS NULL BEGIN
  DELETE FROM `session_words` WHERE `rowid` = old.list_key;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_new` AFTER INSERT ON `huts` BEGIN
  INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_changed` AFTER UPDATE OF `title`, `summary` ON `huts` WHEN new.title IS NOT old.title OR new.summary IS NOT old.summary BEGIN
  DELETE FROM `hut_words` WHERE `rowid` = old.id;
  INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_gone` AFTER DELETE ON `huts` BEGIN
  DELETE FROM `hut_words` WHERE `rowid` = old.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_renamed` AFTER UPDATE OF `title` ON `huts` WHEN new.title IS NOT old.title BEGIN
  DELETE FROM `activity_words` WHERE `rowid` IN (SELECT key FROM `activity_docs` WHERE hut_id = new.id);
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE hut_id = new.id;
  DELETE FROM `session_words` WHERE `rowid` IN (SELECT key FROM `session_docs` WHERE hut_id = new.id);
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE hut_id = new.id;
END;--> statement-breakpoint
INSERT INTO `activity_counts` SELECT 0, is_template, coalesce(category, ''), difficulty, count(*) FROM activities GROUP BY 2, 3, 4;--> statement-breakpoint
INSERT INTO `activity_counts` SELECT hut_id, is_template, coalesce(category, ''), difficulty, count(*) FROM activities WHERE hut_id IS NOT NULL GROUP BY 1, 2, 3, 4;--> statement-breakpoint
CREATE TRIGGER `activity_counted` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE TRUE ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `activity_count_moved` AFTER UPDATE OF `hut_id`, `is_template`, `category`, `difficulty` ON `activities` WHEN new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  UPDATE `activity_counts` SET `count` = `count` - 1 WHERE `hut_id` IN (0, old.hut_id) AND `is_template` = old.is_template AND `category` = coalesce(old.category, '') AND `difficulty` = old.difficulty;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE TRUE ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `activity_count_gone` AFTER DELETE ON `activities` BEGIN
  UPDATE `activity_counts` SET `count` = `count` - 1 WHERE `hut_id` IN (0, old.hut_id) AND `is_template` = old.is_template AND `category` = coalesce(old.category, '') AND `difficulty` = old.difficulty;
END;
