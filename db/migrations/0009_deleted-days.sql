DROP TRIGGER `series_day_of_deleted`;--> statement-breakpoint
CREATE TRIGGER `series_day_of_deleted` AFTER DELETE ON `sessions` WHEN OLD.`series_id` IS NOT NULL
BEGIN INSERT INTO `series_days` (`series_id`, `day`) SELECT OLD.`series_id`, OLD.`series_day` WHERE EXISTS (SELECT 1 FROM `series` WHERE `id` = OLD.`series_id`) ON CONFLICT (`series_id`, `day`) DO UPDATE SET `moved_to` = NULL; END;