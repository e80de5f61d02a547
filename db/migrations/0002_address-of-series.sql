CREATE TABLE `series_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`series_id` integer NOT NULL,
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `series_slugs_by_series` ON `series_slugs` (`series_id`);--> statement-breakpoint
ALTER TABLE `series` ADD `slug` text;--> statement-breakpoint
CREATE UNIQUE INDEX `series_slug_unique` ON `series` (`slug`);--> statement-breakpoint
ALTER TABLE `posts` ADD `series_id` integer REFERENCES series(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `posts_by_series` ON `posts` (`series_id`,`id`) WHERE series_id IS NOT NULL AND parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_by_series` ON `sessions` (`series_id`,`is_template`,`list_key`) WHERE closed_at IS NULL AND series_id IS NOT NULL;--> statement-breakpoint
UPDATE `posts` SET `series_id` = (SELECT s.`series_id` FROM `sessions` s WHERE s.`id` = `posts`.`session_id`)
  WHERE `session_id` IN (SELECT `id` FROM `sessions` WHERE `series_id` IS NOT NULL);
--> statement-breakpoint
CREATE TRIGGER `post_of_series_new` AFTER INSERT ON `posts` WHEN EXISTS (SELECT 1 FROM `sessions` WHERE `id` = NEW.`session_id` AND `series_id` IS NOT NEW.`series_id`)
BEGIN UPDATE `posts` SET `series_id` = (SELECT s.`series_id` FROM `sessions` s WHERE s.`id` = NEW.`session_id`) WHERE `id` = NEW.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `posts_of_series_moved` AFTER UPDATE OF `series_id` ON `sessions` WHEN NEW.`series_id` IS NOT OLD.`series_id`
BEGIN UPDATE `posts` SET `series_id` = NEW.`series_id` WHERE `session_id` = NEW.`id`; END;
