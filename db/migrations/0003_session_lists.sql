DROP INDEX `sessions_by_end`;--> statement-breakpoint
DROP INDEX `sessions_by_category`;--> statement-breakpoint
DROP INDEX `sessions_by_activity`;--> statement-breakpoint
DROP INDEX `sessions_by_hut`;--> statement-breakpoint
CREATE INDEX `sessions_open` ON `sessions` (`is_template`,CASE WHEN started_at IS NULL THEN 9000000000000000 - id ELSE started_at END) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_by_category` ON `sessions` (`is_template`,`category`,CASE WHEN started_at IS NULL THEN 9000000000000000 - id ELSE started_at END) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_by_difficulty` ON `sessions` (`is_template`,`difficulty`,CASE WHEN started_at IS NULL THEN 9000000000000000 - id ELSE started_at END) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_by_both` ON `sessions` (`is_template`,`category`,`difficulty`,CASE WHEN started_at IS NULL THEN 9000000000000000 - id ELSE started_at END) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_by_activity` ON `sessions` (`activity_id`,`closed_at`,CASE WHEN started_at IS NULL THEN 9000000000000000 - id ELSE started_at END);--> statement-breakpoint
CREATE INDEX `sessions_by_hut` ON `sessions` (`hut_id`,`closed_at`,CASE WHEN started_at IS NULL THEN 9000000000000000 - id ELSE started_at END);--> statement-breakpoint
DROP INDEX `posts_by_session`;--> statement-breakpoint
DROP INDEX `posts_by_hut`;--> statement-breakpoint
ALTER TABLE `posts` ADD `place` integer;--> statement-breakpoint
CREATE INDEX `posts_by_parent` ON `posts` (`parent_id`,`id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_session` ON `posts` (`session_id`,`place`);--> statement-breakpoint
CREATE INDEX `posts_by_hut` ON `posts` (`hut_id`,`place`);--> statement-breakpoint
DROP INDEX `participants_in_order`;--> statement-breakpoint
CREATE UNIQUE INDEX `one_host_per_session` ON `participants` (`session_id`) WHERE is_host = 1;--> statement-breakpoint
CREATE INDEX `participants_in_order` ON `participants` (`session_id`,`joined_at`,`user_id`);--> statement-breakpoint
CREATE VIRTUAL TABLE `session_search` USING fts5(`title`, `summary`, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
INSERT INTO `session_search` (`rowid`, `title`, `summary`) SELECT `id`, `title`, `summary` FROM `sessions` WHERE `closed_at` IS NULL;--> statement-breakpoint
CREATE TRIGGER `session_search_new` AFTER INSERT ON `sessions` WHEN new.closed_at IS NULL BEGIN
  INSERT INTO `session_search` (`rowid`, `title`, `summary`) VALUES (new.id, new.title, new.summary);
END;--> statement-breakpoint
CREATE TRIGGER `session_search_changed` AFTER UPDATE OF `title`, `summary` ON `sessions` WHEN new.closed_at IS NULL AND (new.title <> old.title OR new.summary <> old.summary) BEGIN
  UPDATE `session_search` SET `title` = new.title, `summary` = new.summary WHERE `rowid` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_closed` AFTER UPDATE OF `closed_at` ON `sessions` WHEN new.closed_at IS NOT NULL AND old.closed_at IS NULL BEGIN
  DELETE FROM `session_search` WHERE `rowid` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_reopened` AFTER UPDATE OF `closed_at` ON `sessions` WHEN new.closed_at IS NULL AND old.closed_at IS NOT NULL BEGIN
  INSERT INTO `session_search` (`rowid`, `title`, `summary`) VALUES (new.id, new.title, new.summary);
END;--> statement-breakpoint
CREATE TRIGGER `session_search_gone` AFTER DELETE ON `sessions` WHEN old.closed_at IS NULL BEGIN
  DELETE FROM `session_search` WHERE `rowid` = old.id;
END;
