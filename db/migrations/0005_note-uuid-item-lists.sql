ALTER TABLE `notes` ADD `uuid` text;--> statement-breakpoint
CREATE UNIQUE INDEX `note_uuid_unique` ON `notes` (`uuid`);--> statement-breakpoint
CREATE INDEX `items_of_person` ON `items` (`person_id`,`order_ms`);--> statement-breakpoint
CREATE INDEX `items_of_hut` ON `items` (`hut_id`,`order_ms`);