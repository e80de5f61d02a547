CREATE TABLE `failed_rows` (
	`job` text NOT NULL,
	`row` text NOT NULL,
	`tries` integer DEFAULT 1 NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`job`, `row`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `failed_rows_newest` ON `failed_rows` (`at`);--> statement-breakpoint
ALTER TABLE `users` ADD `mail_failures` integer DEFAULT 0 NOT NULL;