ALTER TABLE `items` ADD `title_pairs` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE VIEW `book_docs` AS SELECT i.id AS key, trim(i.title || ' ' || i.title_pairs) AS title, i.id AS id FROM items i WHERE i.is_book = 1 AND i.status = 1 AND i.is_private = 0;
--> statement-breakpoint
CREATE VIRTUAL TABLE `book_words` USING fts5(`title`, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
--> statement-breakpoint
CREATE TRIGGER `book_search_new` AFTER INSERT ON `items` WHEN new.is_book = 1 BEGIN
  INSERT INTO `book_words` (`rowid`, `title`) SELECT key, title FROM `book_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `book_search_changed` AFTER UPDATE OF `title`, `title_pairs`, `is_book`, `status`, `is_private` ON `items` WHEN (new.is_book = 1 OR old.is_book = 1) AND (new.title IS NOT old.title OR new.title_pairs IS NOT old.title_pairs OR new.is_book IS NOT old.is_book OR new.status IS NOT old.status OR new.is_private IS NOT old.is_private) BEGIN
  DELETE FROM `book_words` WHERE `rowid` = old.id;
  INSERT INTO `book_words` (`rowid`, `title`) SELECT key, title FROM `book_docs` WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `book_search_gone` AFTER DELETE ON `items` WHEN old.is_book = 1 BEGIN
  DELETE FROM `book_words` WHERE `rowid` = old.id;
END;
--> statement-breakpoint
INSERT INTO `book_words` (`rowid`, `title`) SELECT key, title FROM `book_docs`;
--> statement-breakpoint
-- No layout has read it yet, so no host has answered for later dates (H-17).
UPDATE `series` SET `template` = json_remove(`template`, '$.guestLimit') WHERE json_valid(`template`);