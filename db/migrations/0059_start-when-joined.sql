ALTER TABLE `participants` ADD `joined_start` integer;--> statement-breakpoint
UPDATE `participants` SET `joined_start` = (SELECT `started_at` FROM `sessions` WHERE `sessions`.`id` = `participants`.`session_id`);
