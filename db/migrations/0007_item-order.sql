DROP INDEX `items_in_order`;--> statement-breakpoint
CREATE INDEX `items_shown` ON `items` (`person_id`,`order_ms`) WHERE status = 1;--> statement-breakpoint
CREATE INDEX `items_in_order` ON `items` (`person_id`,`parent_id`,`order_ms`);