ALTER TABLE `rota_hosts` ADD `guest_limit` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `guest_bans_by_hash` ON `guest_bans` (`hash`);