CREATE TABLE `audit` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`action` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`user_id` integer,
	`reason` text DEFAULT '' NOT NULL,
	`previous` text DEFAULT '' NOT NULL
);

--> statement-breakpoint
-- A row of the audit never changes, and stays for 730 days (Q-29).
CREATE TRIGGER `audit_never_changes` BEFORE UPDATE ON `audit`
BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: audit_never_changes'); END;--> statement-breakpoint
CREATE TRIGGER `audit_is_kept` BEFORE DELETE ON `audit` WHEN OLD.`at` >= unixepoch() * 1000 - 63072000000
BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: audit_is_kept'); END;
