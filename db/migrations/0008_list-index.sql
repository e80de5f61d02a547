-- Every list is found in a search index (db/queries/search.ts): its words, and the names of the lists that contain a
-- row. `rowid` is the row's position in the order of lists. A list's name followed by x or y and a block number
-- counts the rows of a range of positions, so that any page is found by counting blocks instead of rows.
DROP TRIGGER `session_search_new`;--> statement-breakpoint
DROP TRIGGER `session_search_changed`;--> statement-breakpoint
DROP TRIGGER `session_search_closed`;--> statement-breakpoint
DROP TRIGGER `session_search_reopened`;--> statement-breakpoint
DROP TRIGGER `session_search_gone`;--> statement-breakpoint
DROP TRIGGER `activity_search_new`;--> statement-breakpoint
DROP TRIGGER `activity_search_changed`;--> statement-breakpoint
DROP TRIGGER `activity_search_gone`;--> statement-breakpoint
DROP TRIGGER `hut_search_new`;--> statement-breakpoint
DROP TRIGGER `hut_search_changed`;--> statement-breakpoint
DROP TRIGGER `hut_search_gone`;--> statement-breakpoint
DROP TABLE `session_search`;--> statement-breakpoint
DROP TABLE `activity_search`;--> statement-breakpoint
DROP TABLE `hut_search`;--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_search` USING fts5(`title`, `summary`, `hut`, `lists`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
CREATE VIRTUAL TABLE `activity_terms` USING fts5vocab(`activity_search`, 'row');--> statement-breakpoint
CREATE VIRTUAL TABLE `session_search` USING fts5(`title`, `summary`, `hut`, `lists`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
CREATE VIRTUAL TABLE `session_terms` USING fts5vocab(`session_search`, 'row');--> statement-breakpoint
CREATE VIRTUAL TABLE `hut_search` USING fts5(`title`, `summary`, `hut`, `lists`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
CREATE VIRTUAL TABLE `hut_terms` USING fts5vocab(`hut_search`, 'row');--> statement-breakpoint
CREATE VIEW `activity_docs` AS SELECT a.id, a.hut_id, 4294967295 - a.id AS place, a.title, a.summary, coalesce((SELECT h.title FROM huts h WHERE h.id = a.hut_id), '') AS hut,
    (SELECT group_concat(char(57344) || 't' || a.is_template || hut.w || category.w || difficulty.w || piece.w, ' ') FROM
      (SELECT '' AS w UNION ALL SELECT char(57344) || 'h' || a.hut_id WHERE a.hut_id IS NOT NULL) hut,
      (SELECT '' AS w UNION ALL SELECT char(57344) || 'c' || lower(hex(a.category)) WHERE a.category IS NOT NULL) category,
      (SELECT '' AS w UNION ALL SELECT char(57344) || 'd' || a.difficulty WHERE 1) difficulty,
      (SELECT '' AS w UNION ALL SELECT printf('x%08d', (4294967295 - a.id) >> 12) UNION ALL SELECT printf('y%08d', (4294967295 - a.id) >> 6)) piece) AS lists
  FROM activities a;--> statement-breakpoint
CREATE VIEW `session_docs` AS SELECT s.id, s.hut_id, s.place, s.title, s.summary, coalesce((SELECT h.title FROM huts h WHERE h.id = s.hut_id), '') AS hut,
    (SELECT group_concat(char(57344) || 't' || s.is_template || hut.w || category.w || difficulty.w || piece.w, ' ') FROM
      (SELECT '' AS w UNION ALL SELECT char(57344) || 'h' || s.hut_id WHERE s.hut_id IS NOT NULL) hut,
      (SELECT '' AS w UNION ALL SELECT char(57344) || 'c' || lower(hex(s.category)) WHERE s.category IS NOT NULL) category,
      (SELECT '' AS w UNION ALL SELECT char(57344) || 'd' || s.difficulty WHERE 1) difficulty,
      (SELECT '' AS w UNION ALL SELECT printf('x%08d', s.place >> 50) UNION ALL SELECT printf('y%08d', s.place >> 44)) piece)
    || coalesce(' ' || (SELECT group_concat(char(57344) || 't' || s.is_template || char(57344) || 'a' || s.activity_id || piece.w, ' ') FROM
      (SELECT '' AS w UNION ALL SELECT printf('x%08d', s.place >> 50) UNION ALL SELECT printf('y%08d', s.place >> 44)) piece
      WHERE s.activity_id IS NOT NULL), '') AS lists
  FROM (SELECT s.*, iif(s.started_at IS NULL, 4611686018427387904 + ((16777215 - (s.id & 16777215)) << 38) + (s.id >> 24), (min(max(s.started_at / 1000 - 1577836800, 0), 1073741823) << 32) + s.id) AS place FROM sessions s WHERE s.closed_at IS NULL) s;--> statement-breakpoint
CREATE VIEW `hut_docs` AS SELECT h.id, 4294967295 - h.id AS place, h.title, h.summary, '' AS hut,
    char(57344) || 't0 ' || char(57344) || printf('t0x%08d ', (4294967295 - h.id) >> 12) || char(57344) || printf('t0y%08d', (4294967295 - h.id) >> 6) AS lists
  FROM huts h;--> statement-breakpoint
INSERT INTO `activity_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `activity_docs`;--> statement-breakpoint
INSERT INTO `session_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `session_docs`;--> statement-breakpoint
INSERT INTO `hut_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `hut_docs`;--> statement-breakpoint
CREATE TRIGGER `activity_search_new` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `activity_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `activity_search_changed` AFTER UPDATE OF `title`, `summary`, `is_template`, `category`, `difficulty`, `hut_id` ON `activities` WHEN new.title IS NOT old.title OR new.summary IS NOT old.summary OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty OR new.hut_id IS NOT old.hut_id BEGIN
  DELETE FROM `activity_search` WHERE `rowid` = 4294967295 - old.id;
  INSERT INTO `activity_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `activity_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `activity_search_gone` AFTER DELETE ON `activities` BEGIN
  DELETE FROM `activity_search` WHERE `rowid` = 4294967295 - old.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_new` AFTER INSERT ON `sessions` WHEN new.closed_at IS NULL BEGIN
  INSERT INTO `session_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `session_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_changed` AFTER UPDATE OF `title`, `summary`, `is_template`, `category`, `difficulty`, `hut_id`, `activity_id`, `started_at`, `closed_at` ON `sessions` WHEN new.title IS NOT old.title OR new.summary IS NOT old.summary OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty OR new.hut_id IS NOT old.hut_id OR new.activity_id IS NOT old.activity_id OR new.started_at IS NOT old.started_at OR new.closed_at IS NOT old.closed_at BEGIN
  DELETE FROM `session_search` WHERE `rowid` = iif(old.started_at IS NULL, 4611686018427387904 + ((16777215 - (old.id & 16777215)) << 38) + (old.id >> 24), (min(max(old.started_at / 1000 - 1577836800, 0), 1073741823) << 32) + old.id);
  INSERT INTO `session_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `session_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `session_search_gone` AFTER DELETE ON `sessions` WHEN old.closed_at IS NULL BEGIN
  DELETE FROM `session_search` WHERE `rowid` = iif(old.started_at IS NULL, 4611686018427387904 + ((16777215 - (old.id & 16777215)) << 38) + (old.id >> 24), (min(max(old.started_at / 1000 - 1577836800, 0), 1073741823) << 32) + old.id);
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_new` AFTER INSERT ON `huts` BEGIN
  INSERT INTO `hut_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `hut_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_changed` AFTER UPDATE OF `title`, `summary` ON `huts` WHEN new.title IS NOT old.title OR new.summary IS NOT old.summary BEGIN
  DELETE FROM `hut_search` WHERE `rowid` = 4294967295 - old.id;
  INSERT INTO `hut_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `hut_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_gone` AFTER DELETE ON `huts` BEGIN
  DELETE FROM `hut_search` WHERE `rowid` = 4294967295 - old.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_renamed` AFTER UPDATE OF `title` ON `huts` WHEN new.title IS NOT old.title BEGIN
  DELETE FROM `activity_search` WHERE `rowid` IN (SELECT place FROM `activity_docs` WHERE hut_id = new.id);
  INSERT INTO `activity_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `activity_docs` WHERE hut_id = new.id;
  DELETE FROM `session_search` WHERE `rowid` IN (SELECT place FROM `session_docs` WHERE hut_id = new.id);
  INSERT INTO `session_search` (`rowid`, `title`, `summary`, `hut`, `lists`, `id`) SELECT place, title, summary, hut, lists, id FROM `session_docs` WHERE hut_id = new.id;
END;
