CREATE TABLE `series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner_id` integer NOT NULL,
	`hut_id` integer,
	`title` text NOT NULL,
	`rule` text NOT NULL,
	`time_zone` text NOT NULL,
	`local_start` text NOT NULL,
	`template` text NOT NULL,
	`laid_until` integer NOT NULL,
	`paused_at` integer,
	`ended_at` integer,
	`problem` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hut_id`) REFERENCES `huts`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "row_fits_template" CHECK(octet_length("series"."template") <= 1000000)
);
--> statement-breakpoint
CREATE INDEX `series_by_owner` ON `series` (`owner_id`);--> statement-breakpoint
CREATE INDEX `series_to_lay_out` ON `series` (`laid_until`) WHERE paused_at IS NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `series_with_uploads` ON `series` (`id`) WHERE instr(template, '/uploads/') > 0;--> statement-breakpoint
CREATE TABLE `series_days` (
	`series_id` integer NOT NULL,
	`day` text NOT NULL,
	`moved_to` integer,
	PRIMARY KEY(`series_id`, `day`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `standing_seats` (
	`series_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`since` integer NOT NULL,
	`skips` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`series_id`, `user_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `standing_seats_by_user` ON `standing_seats` (`user_id`);--> statement-breakpoint
DROP TRIGGER `sanctions_of_session`;--> statement-breakpoint
DROP TRIGGER `sanctions_of_hut`;--> statement-breakpoint
CREATE TABLE `sanctions_with_series` (
	`scope` text NOT NULL,
	`target_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`until` integer,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `target_id`, `user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sanction_known" CHECK("scope" IN ('session', 'series', 'hut') AND "kind" IN ('mute', 'ban') OR "scope" = 'site' AND "target_id" = 0 AND "kind" = 'ban')
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `sanctions_with_series` SELECT `scope`, `target_id`, `user_id`, `kind`, `until`, `reason`, `created_at` FROM `sanctions`;--> statement-breakpoint
DROP TABLE `sanctions`;--> statement-breakpoint
ALTER TABLE `sanctions_with_series` RENAME TO `sanctions`;--> statement-breakpoint
CREATE INDEX `sanctions_by_user` ON `sanctions` (`user_id`);--> statement-breakpoint
CREATE TRIGGER `sanctions_of_session` AFTER DELETE ON `sessions`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'session' AND `target_id` = OLD.`id`; END;--> statement-breakpoint
CREATE TRIGGER `sanctions_of_hut` AFTER DELETE ON `huts`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'hut' AND `target_id` = OLD.`id`; END;--> statement-breakpoint
CREATE TRIGGER `sanctions_of_series` AFTER DELETE ON `series`
BEGIN DELETE FROM `sanctions` WHERE `scope` = 'series' AND `target_id` = OLD.`id`; END;--> statement-breakpoint
ALTER TABLE `sessions` ADD `series_id` integer REFERENCES `series`(`id`) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `sessions` ADD `series_day` text;--> statement-breakpoint
CREATE UNIQUE INDEX `one_session_per_series_day` ON `sessions` (`series_id`,`series_day`) WHERE series_id IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `series_day_of_deleted` AFTER DELETE ON `sessions` WHEN OLD.`series_id` IS NOT NULL
BEGIN INSERT OR IGNORE INTO `series_days` (`series_id`, `day`) SELECT OLD.`series_id`, OLD.`series_day` WHERE EXISTS (SELECT 1 FROM `series` WHERE `id` = OLD.`series_id`); END;
