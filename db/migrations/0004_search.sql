CREATE VIRTUAL TABLE `activity_search` USING fts5(`title`, `summary`, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
INSERT INTO `activity_search` (`rowid`, `title`, `summary`) SELECT `id`, `title`, `summary` FROM `activities`;--> statement-breakpoint
CREATE TRIGGER `activity_search_new` AFTER INSERT ON `activities` BEGIN
  INSERT INTO `activity_search` (`rowid`, `title`, `summary`) VALUES (new.id, new.title, new.summary);
END;--> statement-breakpoint
CREATE TRIGGER `activity_search_changed` AFTER UPDATE OF `title`, `summary` ON `activities` WHEN new.title <> old.title OR new.summary <> old.summary BEGIN
  UPDATE `activity_search` SET `title` = new.title, `summary` = new.summary WHERE `rowid` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `activity_search_gone` AFTER DELETE ON `activities` BEGIN
  DELETE FROM `activity_search` WHERE `rowid` = old.id;
END;--> statement-breakpoint
CREATE VIRTUAL TABLE `hut_search` USING fts5(`title`, `summary`, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
INSERT INTO `hut_search` (`rowid`, `title`, `summary`) SELECT `id`, `title`, `summary` FROM `huts`;--> statement-breakpoint
CREATE TRIGGER `hut_search_new` AFTER INSERT ON `huts` BEGIN
  INSERT INTO `hut_search` (`rowid`, `title`, `summary`) VALUES (new.id, new.title, new.summary);
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_changed` AFTER UPDATE OF `title`, `summary` ON `huts` WHEN new.title <> old.title OR new.summary <> old.summary BEGIN
  UPDATE `hut_search` SET `title` = new.title, `summary` = new.summary WHERE `rowid` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `hut_search_gone` AFTER DELETE ON `huts` BEGIN
  DELETE FROM `hut_search` WHERE `rowid` = old.id;
END;--> statement-breakpoint
INSERT OR IGNORE INTO `categories` (`slug`, `title`) VALUES
  ('move', 'Move'), ('make', 'Make'), ('learn', 'Learn'), ('read', 'Read'), ('write', 'Write'),
  ('focus', 'Focus'), ('rest', 'Rest'), ('home', 'Home'), ('together', 'Together');
