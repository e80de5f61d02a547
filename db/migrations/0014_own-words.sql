-- The index of own goals, notes and logs. SQL folds the usual letters of the texts that are there; `npm run search:rebuild`
-- writes their words by the rule of the application.
ALTER TABLE `logs` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `notes` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE VIEW `goal_docs` AS SELECT g.id AS key, char(57344) || g.user_id || char(57344) || replace(g.search_text, ' ', ' ' || char(57344) || g.user_id || char(57344)) || ' ' || char(57344) || g.user_id || char(57344) || char(57344) || 's' || g.status AS words, g.id AS id FROM goals g WHERE g.session_id IS NULL AND g.activity_id IS NULL;--> statement-breakpoint
CREATE VIEW `note_docs` AS SELECT (SELECT min(free.key) FROM (SELECT n.id AS key UNION ALL SELECT w.rowid + 1 FROM note_words w WHERE w.rowid BETWEEN n.id AND n.id + 998) free WHERE NOT EXISTS (SELECT 1 FROM note_words w WHERE w.rowid = free.key)) AS key, char(57344) || n.user_id || char(57344) || replace(n.search_text, ' ', ' ' || char(57344) || n.user_id || char(57344)) AS words, n.user_id AS user_id, n.id AS id FROM notes n WHERE n.search_text <> '';--> statement-breakpoint
CREATE VIEW `log_docs` AS SELECT (SELECT min(free.key) FROM (SELECT l.id AS key UNION ALL SELECT w.rowid + 1 FROM log_words w WHERE w.rowid BETWEEN l.id AND l.id + 998) free WHERE NOT EXISTS (SELECT 1 FROM log_words w WHERE w.rowid = free.key)) AS key, char(57344) || l.user_id || char(57344) || replace(l.search_text, ' ', ' ' || char(57344) || l.user_id || char(57344)) AS words, l.user_id AS user_id, l.id AS id FROM logs l WHERE l.search_text <> '';--> statement-breakpoint
CREATE VIRTUAL TABLE `goal_words` USING fts5(`words`, content = '', contentless_delete = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");--> statement-breakpoint
CREATE VIRTUAL TABLE `note_words` USING fts5(`words`, `user_id` UNINDEXED, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");--> statement-breakpoint
CREATE VIRTUAL TABLE `log_words` USING fts5(`words`, `user_id` UNINDEXED, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");--> statement-breakpoint
DROP TRIGGER `log_mark_changed`;--> statement-breakpoint
UPDATE `notes` SET `search_text` = lower(trim(`title` || ' ' || `content` || ' ' || `todo` || ' ' || `done`));--> statement-breakpoint
UPDATE `logs` SET `search_text` = lower(trim(`title` || ' ' || `content`)) WHERE `title` <> '' OR `content` <> '';--> statement-breakpoint
UPDATE `notes` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '''', ''), '’', ''), '‘', ''), '′', ''), '`', ''), '´', ''), char(173), ''), char(9), ' '), char(10), ' '), char(13), ' '), char(160), ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `notes` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '.', ' '), ',', ' '), ';', ' '), ':', ' '), '!', ' '), '?', ' '), '(', ' '), ')', ' '), '[', ' '), ']', ' '), '{', ' '), '}', ' '), '/', ' '), '|', ' '), '*', ' '), '_', ' '), '#', ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `notes` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '\', ' '), '<', ' '), '>', ' '), '"', ' '), '“', ' '), '”', ' '), '„', ' '), '«', ' '), '»', ' '), '=', ' '), '+', ' '), '&', ' '), '%', ' '), '@', ' '), '~', ' '), '^', ' '), '$', ' '), '-', ' '), '‐', ' '), '‑', ' '), '–', ' '), '—', ' '), '…', ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `notes` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, 'ß', 'ss'), 'ẞ', 'ss'), 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'þ', 'th'), 'ı', 'i'), char(1600), ''), char(1611), ''), char(1612), ''), char(1613), ''), char(1614), ''), char(1615), ''), char(1616), ''), char(1617), ''), char(1618), ''), char(1648), '') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `logs` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '''', ''), '’', ''), '‘', ''), '′', ''), '`', ''), '´', ''), char(173), ''), char(9), ' '), char(10), ' '), char(13), ' '), char(160), ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `logs` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '.', ' '), ',', ' '), ';', ' '), ':', ' '), '!', ' '), '?', ' '), '(', ' '), ')', ' '), '[', ' '), ']', ' '), '{', ' '), '}', ' '), '/', ' '), '|', ' '), '*', ' '), '_', ' '), '#', ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `logs` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '\', ' '), '<', ' '), '>', ' '), '"', ' '), '“', ' '), '”', ' '), '„', ' '), '«', ' '), '»', ' '), '=', ' '), '+', ' '), '&', ' '), '%', ' '), '@', ' '), '~', ' '), '^', ' '), '$', ' '), '-', ' '), '‐', ' '), '‑', ' '), '–', ' '), '—', ' '), '…', ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `logs` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, 'ß', 'ss'), 'ẞ', 'ss'), 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'þ', 'th'), 'ı', 'i'), char(1600), ''), char(1611), ''), char(1612), ''), char(1613), ''), char(1614), ''), char(1615), ''), char(1616), ''), char(1617), ''), char(1618), ''), char(1648), '') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `goals` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '''', ''), '’', ''), '‘', ''), '′', ''), '`', ''), '´', ''), char(173), ''), char(9), ' '), char(10), ' '), char(13), ' '), char(160), ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `goals` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '.', ' '), ',', ' '), ';', ' '), ':', ' '), '!', ' '), '?', ' '), '(', ' '), ')', ' '), '[', ' '), ']', ' '), '{', ' '), '}', ' '), '/', ' '), '|', ' '), '*', ' '), '_', ' '), '#', ' ') WHERE `search_text` <> '';--> statement-breakpoint
UPDATE `goals` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text, '\', ' '), '<', ' '), '>', ' '), '"', ' '), '“', ' '), '”', ' '), '„', ' '), '«', ' '), '»', ' '), '=', ' '), '+', ' '), '&', ' '), '%', ' '), '@', ' '), '~', ' '), '^', ' '), '$', ' '), '-', ' '), '‐', ' '), '‑', ' '), '–', ' '), '—', ' '), '…', ' ') WHERE `search_text` <> '';--> statement-breakpoint
CREATE TRIGGER `log_mark_changed` AFTER UPDATE ON `logs` WHEN NEW.`session_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `sessions` WHERE `id` = NEW.`session_id`)
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) VALUES (NEW.`session_id`, NEW.`uuid`, NEW.`id`, random() & 2147483647) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;--> statement-breakpoint
CREATE TRIGGER `goal_search_new` AFTER INSERT ON `goals` BEGIN
  INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `goal_search_changed` AFTER UPDATE OF `search_text`, `status` ON `goals` WHEN new.search_text IS NOT old.search_text OR new.status IS NOT old.status BEGIN
  DELETE FROM `goal_words` WHERE `rowid` = old.id;
  INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `goal_search_gone` AFTER DELETE ON `goals` BEGIN
  DELETE FROM `goal_words` WHERE `rowid` = old.id;
END;--> statement-breakpoint
CREATE TRIGGER `note_search_new` AFTER INSERT ON `notes` WHEN new.search_text <> '' BEGIN
  INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `note_docs` WHERE user_id = new.user_id AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `note_search_changed` AFTER UPDATE OF `search_text` ON `notes` WHEN new.search_text IS NOT old.search_text BEGIN
  DELETE FROM `note_words` WHERE `rowid` IN (SELECT w.rowid FROM `note_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
  INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `note_docs` WHERE user_id = new.user_id AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `note_search_gone` AFTER DELETE ON `notes` WHEN old.search_text <> '' BEGIN
  DELETE FROM `note_words` WHERE `rowid` IN (SELECT w.rowid FROM `note_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
END;--> statement-breakpoint
CREATE TRIGGER `log_search_new` AFTER INSERT ON `logs` WHEN new.search_text <> '' BEGIN
  INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `log_docs` WHERE user_id = new.user_id AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `log_search_changed` AFTER UPDATE OF `search_text` ON `logs` WHEN new.search_text IS NOT old.search_text BEGIN
  DELETE FROM `log_words` WHERE `rowid` IN (SELECT w.rowid FROM `log_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
  INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `log_docs` WHERE user_id = new.user_id AND id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `log_search_gone` AFTER DELETE ON `logs` WHEN old.search_text <> '' BEGIN
  DELETE FROM `log_words` WHERE `rowid` IN (SELECT w.rowid FROM `log_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
END;--> statement-breakpoint
INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` ORDER BY key;--> statement-breakpoint
INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT place + max(id - place) OVER (ORDER BY place), words, user_id, id FROM (SELECT words, user_id, id, row_number() OVER (ORDER BY id, user_id) AS place FROM `note_docs`);--> statement-breakpoint
INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT place + max(id - place) OVER (ORDER BY place), words, user_id, id FROM (SELECT words, user_id, id, row_number() OVER (ORDER BY id, user_id) AS place FROM `log_docs`);
