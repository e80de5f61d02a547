CREATE TABLE `sanctions` (
	`scope` text NOT NULL,
	`target_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`until` integer,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `target_id`, `user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sanction_known" CHECK("sanctions"."scope" IN ('session', 'hut') AND "sanctions"."kind" IN ('mute', 'ban') OR "sanctions"."scope" = 'site' AND "sanctions"."target_id" = 0 AND "sanctions"."kind" = 'ban')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sanctions_by_user` ON `sanctions` (`user_id`);--> statement-breakpoint
CREATE TRIGGER `sanctions_of_session` AFTER DELETE ON `sessions`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'session' AND `target_id` = OLD.`id`; END;--> statement-breakpoint
CREATE TRIGGER `sanctions_of_hut` AFTER DELETE ON `huts`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'hut' AND `target_id` = OLD.`id`; END;
