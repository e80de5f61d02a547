ALTER TABLE `series` ADD `is_private` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `series` SET `is_private` = 1 WHERE EXISTS (SELECT 1 FROM huts h WHERE h.id = series.hut_id AND h.is_private = 1)
  OR (`hut_id` IS NULL AND EXISTS (SELECT 1 FROM sessions s WHERE s.series_id = series.id AND s.hut_id IS NULL AND s.is_private = 1));--> statement-breakpoint
DROP TRIGGER `hut_private_changed`;--> statement-breakpoint
CREATE TRIGGER `hut_private_changed` AFTER UPDATE OF `is_private` ON `huts` WHEN new.is_private IS NOT old.is_private BEGIN
  UPDATE `activities` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `sessions` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `items` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
  UPDATE `series` SET `is_private` = new.is_private WHERE `hut_id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `series_private_new` AFTER INSERT ON `series` WHEN new.is_private = 0 AND EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1) BEGIN
  UPDATE `series` SET `is_private` = 1 WHERE `id` = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `series_private_moved` AFTER UPDATE OF `hut_id` ON `series` WHEN new.hut_id IS NOT old.hut_id AND (old.is_private = 1 OR EXISTS (SELECT 1 FROM huts h WHERE h.id = new.hut_id AND h.is_private = 1)) BEGIN
  UPDATE `series` SET `is_private` = coalesce((SELECT h.is_private FROM huts h WHERE h.id = new.hut_id), NOT EXISTS (SELECT 1 FROM huts h WHERE h.id = old.hut_id)) WHERE `id` = new.id;
END;
