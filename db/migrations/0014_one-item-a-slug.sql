DROP INDEX `book_slug_unique`;--> statement-breakpoint
DROP INDEX `items_by_slug`;--> statement-breakpoint
DROP INDEX `item_slug_unique`;--> statement-breakpoint
UPDATE `items` SET `slug` = `slug` || '-' || `id` WHERE `id` NOT IN (SELECT min(`id`) FROM `items` GROUP BY `slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `item_slug_unique` ON `items` (`slug`);