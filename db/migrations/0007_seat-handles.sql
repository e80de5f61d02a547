ALTER TABLE `rota_hosts` ADD `handle` text;--> statement-breakpoint
ALTER TABLE `participants` ADD `handle` text;--> statement-breakpoint
UPDATE `rota_hosts` SET `handle` = '~' || lower(hex(randomblob(8)));--> statement-breakpoint
UPDATE `participants` SET `handle` = '~' || lower(hex(randomblob(8))) WHERE `session_id` IN (SELECT `id` FROM `sessions` WHERE `closed_at` IS NULL);
