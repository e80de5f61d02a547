-- Every trigger of the database: rules that no CHECK, UNIQUE or foreign key can state. db/schema names them at their
-- tables, and db/triggers.test.ts compares this file with the migrated database.

-- ------------------------------------------------------------------ users

-- An address that an owner may still restore by a mailed link is taken, and a CHECK sees no other table.
CREATE TRIGGER `users_email_kept_new` BEFORE INSERT ON `users` WHEN EXISTS (
  SELECT 1 FROM `confirmations` WHERE `kind` = 'restore' AND lower(`email`) = lower(NEW.`email`) AND `used_at` IS NULL AND `expires_at` > NEW.`updated_at`
) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: users_email_unique'); END;
CREATE TRIGGER `users_email_kept_changed` BEFORE UPDATE OF `email` ON `users` WHEN EXISTS (
  SELECT 1 FROM `confirmations` WHERE `kind` = 'restore' AND lower(`email`) = lower(NEW.`email`) AND `used_at` IS NULL AND `expires_at` > NEW.`updated_at` AND `user_id` <> NEW.`id`
) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: users_email_unique'); END;

-- ------------------------------------------------------------------ audit

-- A CHECK sees neither a deletion nor the row as it was (Q-30).
CREATE TRIGGER `audit_is_kept` BEFORE DELETE ON `audit` WHEN OLD.`at` >= unixepoch() * 1000 - 63072000000
BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: audit_is_kept'); END;
CREATE TRIGGER `audit_never_changes` BEFORE UPDATE ON `audit`
BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: audit_never_changes'); END;

-- ------------------------------------------------------------------ notices of posts

-- A post that is removed or deleted withdraws its unread and read notices, also with its session or hut. A merged notice
-- stays for the other people in it, and leads to their posts.
CREATE TRIGGER `post_notices_removed` AFTER UPDATE OF `removed_at` ON `posts` WHEN NEW.`removed_at` IS NOT NULL AND OLD.`removed_at` IS NULL
BEGIN
  UPDATE `notices` SET `others` = (SELECT json_group_array(json(value)) FROM json_each(`others`) WHERE value ->> '$.post' IS NOT NEW.`id`), `merged` = max(0, `merged` - 1)
    WHERE `body` ->> '$.post' IN (SELECT `id` FROM `posts` WHERE `parent_id` = NEW.`parent_id`) AND EXISTS (SELECT 1 FROM json_each(`others`) WHERE value ->> '$.post' = NEW.`id`);
  UPDATE `notices` SET `body` = json_patch(`body`, `others` -> '$[0]'), `others` = json_remove(`others`, '$[0]'), `merged` = max(0, `merged` - 1)
    WHERE `body` ->> '$.post' = NEW.`id` AND `others` -> '$[0]' ->> '$.post' IS NOT NULL;
  UPDATE `users` SET `unread_notices` = max(0, `unread_notices` - (SELECT count(*) FROM `notices` n WHERE n.`body` ->> '$.post' = NEW.`id` AND n.`user_id` = `users`.`id` AND n.`read_at` IS NULL))
    WHERE `id` IN (SELECT n.`user_id` FROM `notices` n WHERE n.`body` ->> '$.post' = NEW.`id` AND n.`read_at` IS NULL);
  DELETE FROM `notices` WHERE `body` ->> '$.post' = NEW.`id`;
END;
CREATE TRIGGER `post_notices_gone` AFTER DELETE ON `posts`
BEGIN
  UPDATE `users` SET `unread_notices` = max(0, `unread_notices` - (SELECT count(*) FROM `notices` n WHERE n.`body` ->> '$.post' = OLD.`id` AND n.`user_id` = `users`.`id` AND n.`read_at` IS NULL))
    WHERE `id` IN (SELECT n.`user_id` FROM `notices` n WHERE n.`body` ->> '$.post' = OLD.`id` AND n.`read_at` IS NULL);
  DELETE FROM `notices` WHERE `body` ->> '$.post' = OLD.`id`;
END;

-- ------------------------------------------------------------------ logs in rooms

-- A room holds the words of its logs. Whatever changes or deletes a log, or renames its goal, leaves a mark in the same
-- batch, from which the room corrects its history (R-90).
CREATE TRIGGER `log_mark_changed` AFTER UPDATE ON `logs` WHEN NEW.`session_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `sessions` WHERE `id` = NEW.`session_id`)
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) VALUES (NEW.`session_id`, NEW.`uuid`, NEW.`id`, random() & 2147483647) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;
CREATE TRIGGER `log_mark_gone` AFTER DELETE ON `logs` WHEN OLD.`session_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `sessions` WHERE `id` = OLD.`session_id`)
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) VALUES (OLD.`session_id`, OLD.`uuid`, OLD.`id`, random() & 2147483647) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;
CREATE TRIGGER `log_mark_renamed` AFTER UPDATE OF `title`, `action`, `unit` ON `goals` WHEN NEW.`title` IS NOT OLD.`title` OR NEW.`action` IS NOT OLD.`action` OR NEW.`unit` IS NOT OLD.`unit`
BEGIN INSERT INTO `log_marks` (`session_id`, `uuid`, `log_id`, `version`) SELECT `session_id`, `uuid`, `id`, random() & 2147483647 FROM `logs` WHERE `goal_id` = NEW.`id` AND `session_id` IN (SELECT `id` FROM `sessions`) ON CONFLICT (`session_id`, `uuid`) DO UPDATE SET `version` = excluded.`version`; END;
CREATE TRIGGER `log_marks_of_session` AFTER DELETE ON `sessions`
BEGIN DELETE FROM `log_marks` WHERE `session_id` = OLD.`id`; END;

-- ------------------------------------------------------------------ sanctions

-- `target_id` refers to one of three tables, which a foreign key cannot.
CREATE TRIGGER `sanctions_of_session` AFTER DELETE ON `sessions`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'session' AND `target_id` = OLD.`id`; END;
CREATE TRIGGER `sanctions_of_series` AFTER DELETE ON `series`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'series' AND `target_id` = OLD.`id`; END;
CREATE TRIGGER `sanctions_of_hut` AFTER DELETE ON `huts`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'hut' AND `target_id` = OLD.`id`; END;

-- ------------------------------------------------------------------ series_days

-- The day of a deleted session is skipped, so that the next layout does not make it again, whoever deleted it.
CREATE TRIGGER `series_day_of_deleted` AFTER DELETE ON `sessions` WHEN OLD.`series_id` IS NOT NULL
BEGIN INSERT INTO `series_days` (`series_id`, `day`) SELECT OLD.`series_id`, OLD.`series_day` WHERE EXISTS (SELECT 1 FROM `series` WHERE `id` = OLD.`series_id`) ON CONFLICT (`series_id`, `day`) DO UPDATE SET `moved_to` = NULL; END;

-- ------------------------------------------------------------------ series_id of posts

-- Copied from the session, also when a session joins or leaves its series (H-12).
CREATE TRIGGER `post_of_series_new` AFTER INSERT ON `posts` WHEN EXISTS (SELECT 1 FROM `sessions` WHERE `id` = NEW.`session_id` AND `series_id` IS NOT NEW.`series_id`)
BEGIN UPDATE `posts` SET `series_id` = (SELECT s.`series_id` FROM `sessions` s WHERE s.`id` = NEW.`session_id`) WHERE `id` = NEW.`id`; END;
CREATE TRIGGER `posts_of_series_moved` AFTER UPDATE OF `series_id` ON `sessions` WHEN NEW.`series_id` IS NOT OLD.`series_id`
BEGIN UPDATE `posts` SET `series_id` = NEW.`series_id` WHERE `session_id` = NEW.`id`; END;

-- ------------------------------------------------------------------ is_private of activities, sessions, items and series

-- Copied from the hut, so that no list can forget to ask it; foreign keys that empty `hut_id` copy it too (decision 38).
CREATE TRIGGER `hut_private_changed` AFTER UPDATE OF `is_private` ON `huts` WHEN new.is_private IS NOT old.is_private BEGIN
  UPDATE `activities` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `sessions` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `items` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `series` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
END;
CREATE TRIGGER `activity_private_new` AFTER INSERT ON `activities` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `activities` SET `is_private` = 1 WHERE `id` = new.id;
END;
CREATE TRIGGER `activity_private_moved` AFTER UPDATE OF `hut_id` ON `activities` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `activities` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
CREATE TRIGGER `session_private_new` AFTER INSERT ON `sessions` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `sessions` SET `is_private` = 1 WHERE `id` = new.id;
END;
CREATE TRIGGER `session_private_moved` AFTER UPDATE OF `hut_id` ON `sessions` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `sessions` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
CREATE TRIGGER `item_private_new` AFTER INSERT ON `items` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `items` SET `is_private` = 1 WHERE `id` = new.id;
END;
CREATE TRIGGER `item_private_moved` AFTER UPDATE OF `hut_id` ON `items` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `items` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
CREATE TRIGGER `series_private_new` AFTER INSERT ON `series` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `series` SET `is_private` = 1 WHERE `id` = new.id;
END;
CREATE TRIGGER `series_private_moved` AFTER UPDATE OF `hut_id` ON `series` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `series` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;

-- ------------------------------------------------------------------ activity_counts

-- Counts of rows, which also move when a foreign key empties `hut_id` and when a trigger above makes a row private.
CREATE TRIGGER `activity_counted` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
CREATE TRIGGER `activity_count_moved` AFTER UPDATE OF `hut_id`, `is_template`, `category`, `difficulty`, `is_private` ON `activities` WHEN new.is_private IS NOT old.is_private OR new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT old.hut_id, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + 1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT new.hut_id, new.is_template, coalesce(new.category, ''), new.difficulty, 1 WHERE new.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
CREATE TRIGGER `activity_count_gone` AFTER DELETE ON `activities` BEGIN
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.is_private = 0 ON CONFLICT DO UPDATE SET `count` = `count` + -1;
  INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT old.hut_id, old.is_template, coalesce(old.category, ''), old.difficulty, -1 WHERE old.hut_id IS NOT NULL ON CONFLICT DO UPDATE SET `count` = `count` + -1;
END;

-- ------------------------------------------------------------------ tag_counts

-- Counts of rows that a foreign key deletes with their goal.
CREATE TRIGGER `goal_tagged` AFTER INSERT ON `goal_tags` BEGIN
  INSERT INTO `tag_counts` (`user_id`, `tag`, `goals`) VALUES (new.user_id, new.tag, 1) ON CONFLICT DO UPDATE SET `goals` = `goals` + 1;
END;
CREATE TRIGGER `goal_untagged` AFTER DELETE ON `goal_tags` BEGIN
  UPDATE `tag_counts` SET `goals` = `goals` - 1 WHERE `user_id` = old.user_id AND `tag` = old.tag;
  DELETE FROM `tag_counts` WHERE `user_id` = old.user_id AND `tag` = old.tag AND `goals` < 1;
END;

-- ------------------------------------------------------------------ the full-text index

-- FTS5 keeps its own rows. Whatever changes a row, a foreign key included, changes its words in the same transaction.
CREATE TRIGGER `activity_search_new` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE id = new.id;
END;
CREATE TRIGGER `activity_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `summary`, `hut_id`, `is_template`, `category`, `difficulty`, `is_private` ON `activities` WHEN new.is_private IS NOT old.is_private OR new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `activity_words` WHERE `rowid` = old.id;
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE id = new.id;
END;
CREATE TRIGGER `activity_search_gone` AFTER DELETE ON `activities` BEGIN
  DELETE FROM `activity_words` WHERE `rowid` = old.id;
END;
CREATE TRIGGER `session_search_new` AFTER INSERT ON `sessions` WHEN new.closed_at IS NULL BEGIN
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE id = new.id;
END;
CREATE TRIGGER `session_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `summary`, `hut_id`, `is_template`, `category`, `difficulty`, `is_private`, `started_at`, `closed_at`, `join_code` ON `sessions` WHEN new.is_private IS NOT old.is_private OR (new.join_code = '') IS NOT (old.join_code = '') OR new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.summary IS NOT old.summary OR new.hut_id IS NOT old.hut_id OR new.started_at IS NOT old.started_at OR new.closed_at IS NOT old.closed_at OR new.is_template IS NOT old.is_template OR new.category IS NOT old.category OR new.difficulty IS NOT old.difficulty BEGIN
  DELETE FROM `session_words` WHERE `rowid` = old.list_key;
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE id = new.id;
END;
CREATE TRIGGER `session_search_gone` AFTER DELETE ON `sessions` WHEN old.closed_at IS NULL BEGIN
  DELETE FROM `session_words` WHERE `rowid` = old.list_key;
END;
CREATE TRIGGER `hut_search_new` AFTER INSERT ON `huts` BEGIN
  INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` WHERE id = new.id;
END;
CREATE TRIGGER `hut_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `summary`, `is_private` ON `huts` WHEN new.is_private IS NOT old.is_private OR new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.summary IS NOT old.summary BEGIN
  DELETE FROM `hut_words` WHERE `rowid` = old.id;
  INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` WHERE id = new.id;
END;
CREATE TRIGGER `hut_search_gone` AFTER DELETE ON `huts` BEGIN
  DELETE FROM `hut_words` WHERE `rowid` = old.id;
END;
CREATE TRIGGER `hut_search_renamed` AFTER UPDATE OF `title`, `title_pairs` ON `huts` WHEN new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs BEGIN
  DELETE FROM `activity_words` WHERE `rowid` IN (SELECT key FROM `activity_docs` WHERE hut_id = new.id);
  INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` WHERE hut_id = new.id;
  DELETE FROM `session_words` WHERE `rowid` IN (SELECT key FROM `session_docs` WHERE hut_id = new.id);
  INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` WHERE hut_id = new.id;
END;
CREATE TRIGGER `book_search_new` AFTER INSERT ON `items` WHEN new.is_book = 1 BEGIN
  INSERT INTO `book_words` (`rowid`, `title`) SELECT key, title FROM `book_docs` WHERE id = new.id;
END;
CREATE TRIGGER `book_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `is_book`, `status`, `is_private` ON `items` WHEN (new.is_book = 1 OR old.is_book = 1) AND (new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.is_book IS NOT old.is_book OR new.status IS NOT old.status OR new.is_private IS NOT old.is_private) BEGIN
  DELETE FROM `book_words` WHERE `rowid` = old.id;
  INSERT INTO `book_words` (`rowid`, `title`) SELECT key, title FROM `book_docs` WHERE id = new.id;
END;
CREATE TRIGGER `book_search_gone` AFTER DELETE ON `items` WHEN old.is_book = 1 BEGIN
  DELETE FROM `book_words` WHERE `rowid` = old.id;
END;

-- Own goals, notes and logs (R-80). A thing without words has no row.
CREATE TRIGGER `goal_search_new` AFTER INSERT ON `goals` BEGIN
  INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` WHERE id = new.id;
END;
CREATE TRIGGER `goal_search_changed` AFTER UPDATE OF `search_text`, `status` ON `goals` WHEN new.search_text IS NOT old.search_text OR new.status IS NOT old.status BEGIN
  DELETE FROM `goal_words` WHERE `rowid` = old.id;
  INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` WHERE id = new.id;
END;
CREATE TRIGGER `goal_search_gone` AFTER DELETE ON `goals` BEGIN
  DELETE FROM `goal_words` WHERE `rowid` = old.id;
END;
CREATE TRIGGER `note_search_new` AFTER INSERT ON `notes` WHEN new.search_text <> '' BEGIN
  INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `note_docs` WHERE user_id = new.user_id AND id = new.id;
END;
CREATE TRIGGER `note_search_changed` AFTER UPDATE OF `search_text` ON `notes` WHEN new.search_text IS NOT old.search_text BEGIN
  DELETE FROM `note_words` WHERE `rowid` IN (SELECT w.rowid FROM `note_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
  INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `note_docs` WHERE user_id = new.user_id AND id = new.id;
END;
CREATE TRIGGER `note_search_gone` AFTER DELETE ON `notes` WHEN old.search_text <> '' BEGIN
  DELETE FROM `note_words` WHERE `rowid` IN (SELECT w.rowid FROM `note_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
END;
CREATE TRIGGER `log_search_new` AFTER INSERT ON `logs` WHEN new.search_text <> '' BEGIN
  INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `log_docs` WHERE user_id = new.user_id AND id = new.id;
END;
CREATE TRIGGER `log_search_changed` AFTER UPDATE OF `search_text` ON `logs` WHEN new.search_text IS NOT old.search_text BEGIN
  DELETE FROM `log_words` WHERE `rowid` IN (SELECT w.rowid FROM `log_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
  INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT key, words, user_id, id FROM `log_docs` WHERE user_id = new.user_id AND id = new.id;
END;
CREATE TRIGGER `log_search_gone` AFTER DELETE ON `logs` WHEN old.search_text <> '' BEGIN
  DELETE FROM `log_words` WHERE `rowid` IN (SELECT w.rowid FROM `log_words` w WHERE w.rowid BETWEEN old.id AND old.id + 999 AND w.user_id = old.user_id AND w.id = old.id);
END;
