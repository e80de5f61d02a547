ALTER TABLE `repeated_requests` ADD `body_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `repeated_requests` ADD `made` integer;