-- A quick log writes seven rows instead of eleven: logs and notes are stored in the list of their user, a day of a
-- personal goal has no second index, and the entry of a log or note relies on the uuid of its row (decision 59).
DROP INDEX `goal_days_by_user`;--> statement-breakpoint
ALTER TABLE `goal_days` ADD `is_shared` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `goal_days` SET `is_shared` = 1 WHERE `goal_id` IN (SELECT `id` FROM `goals` WHERE `session_id` IS NOT NULL OR `activity_id` IS NOT NULL);--> statement-breakpoint
CREATE INDEX `goal_days_shared` ON `goal_days` (`user_id`,`goal_id`,`day`) WHERE is_shared = 1;--> statement-breakpoint
CREATE TABLE `__new_logs` (
	`id` integer NOT NULL,
	`uuid` text NOT NULL,
	`goal_id` integer,
	`user_id` integer NOT NULL,
	`username` text NOT NULL,
	`session_id` integer,
	`session_goal_uuid` text,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`status` integer NOT NULL,
	`amount` integer,
	`distance` integer,
	`duration` integer,
	`is_timed` integer DEFAULT false NOT NULL,
	`elapsed_duration` integer DEFAULT 0 NOT NULL,
	`remaining_duration` integer,
	`started_at` integer,
	`ended_at` integer,
	`paused_at` integer,
	`ql_button_uuid` text,
	`timer_uuid` text,
	`day` text NOT NULL,
	`entry_id` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `id`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "log_status_known" CHECK("status" IN (1, 2, 3, 4)),
	CONSTRAINT "log_elapsed_not_negative" CHECK("elapsed_duration" >= 0)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_logs`("id", "uuid", "goal_id", "user_id", "username", "session_id", "session_goal_uuid", "title", "content", "content_html", "summary", "action", "status", "amount", "distance", "duration", "is_timed", "elapsed_duration", "remaining_duration", "started_at", "ended_at", "paused_at", "ql_button_uuid", "timer_uuid", "day", "created_at", "updated_at") SELECT "id", "uuid", "goal_id", "user_id", "username", "session_id", "session_goal_uuid", "title", "content", "content_html", "summary", "action", "status", "amount", "distance", "duration", "is_timed", "elapsed_duration", "remaining_duration", "started_at", "ended_at", "paused_at", "ql_button_uuid", "timer_uuid", "day", "created_at", "updated_at" FROM `logs`;--> statement-breakpoint
DROP TABLE `logs`;--> statement-breakpoint
ALTER TABLE `__new_logs` RENAME TO `logs`;--> statement-breakpoint
CREATE UNIQUE INDEX `log_uuid_unique` ON `logs` (`uuid`);--> statement-breakpoint
CREATE INDEX `logs_with_uploads` ON `logs` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
CREATE INDEX `logs_by_goal` ON `logs` (`goal_id`,`id`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `logs_by_session` ON `logs` (`session_id`,`id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `logs_open` ON `logs` (`user_id`,`goal_id`,`id`) WHERE status IN (1, 3);--> statement-breakpoint
CREATE UNIQUE INDEX `one_running_log` ON `logs` (`goal_id`,`user_id`) WHERE status = 1 AND is_timed = 1;--> statement-breakpoint
CREATE TABLE `__new_notes` (
	`id` integer NOT NULL,
	`uuid` text,
	`user_id` integer NOT NULL,
	`goal_id` integer,
	`title` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`content_html` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`todo` text DEFAULT '' NOT NULL,
	`done` text DEFAULT '' NOT NULL,
	`entry_id` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_notes`("id", "uuid", "user_id", "goal_id", "title", "content", "content_html", "summary", "todo", "done", "created_at", "updated_at") SELECT "id", "uuid", "user_id", "goal_id", "title", "content", "content_html", "summary", "todo", "done", "created_at", "updated_at" FROM `notes`;--> statement-breakpoint
DROP TABLE `notes`;--> statement-breakpoint
ALTER TABLE `__new_notes` RENAME TO `notes`;--> statement-breakpoint
CREATE INDEX `notes_with_uploads` ON `notes` (`id`) WHERE instr(content || todo || done, '/uploads/') > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `note_uuid_unique` ON `notes` (`uuid`);--> statement-breakpoint
CREATE INDEX `notes_by_goal` ON `notes` (`goal_id`,`id`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `__new_token_entries` (
	`id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`lot_id` integer,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`reference` text,
	`created_at` integer NOT NULL,
	`paid_before` integer DEFAULT 0 NOT NULL,
	`paid_for` text,
	PRIMARY KEY(`user_id`, `id`),
	CONSTRAINT "tokens_sufficient" CHECK("amount" <> 0)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `__new_token_entries`("id", "user_id", "lot_id", "amount", "reason", "reference", "created_at", "paid_before", "paid_for") SELECT "id", "user_id", "lot_id", "amount", "reason", "reference", "created_at", "paid_before", NULL FROM `token_entries`;--> statement-breakpoint
DROP TABLE `token_entries`;--> statement-breakpoint
ALTER TABLE `__new_token_entries` RENAME TO `token_entries`;--> statement-breakpoint
CREATE UNIQUE INDEX `entry_written_once` ON `token_entries` (`reference`,`paid_before`) WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `token_entries_owed` ON `token_entries` (`user_id`) WHERE lot_id IS NULL;--> statement-breakpoint
CREATE TRIGGER `logs_bytes_new` BEFORE INSERT ON `logs` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `logs_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary` ON `logs` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `notes_bytes_new` BEFORE INSERT ON `notes` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.todo) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_todo') WHEN octet_length(NEW.done) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_done') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `notes_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary`, `todo`, `done` ON `notes` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.todo) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_todo') WHEN octet_length(NEW.done) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_done') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `logs_stay_paid` AFTER DELETE ON `logs` WHEN OLD.`entry_id` IS NOT NULL BEGIN
  UPDATE `token_entries` SET `reference` = `paid_for` WHERE `user_id` = OLD.`user_id` AND `id` = OLD.`entry_id` AND `paid_for` = 'log:' || OLD.`uuid`;
END;--> statement-breakpoint
CREATE TRIGGER `notes_stay_paid` AFTER DELETE ON `notes` WHEN OLD.`entry_id` IS NOT NULL BEGIN
  UPDATE `token_entries` SET `reference` = `paid_for` WHERE `user_id` = OLD.`user_id` AND `id` = OLD.`entry_id` AND `paid_for` = 'note:' || OLD.`uuid`;
END;
