CREATE TABLE `view_links` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`session_id` integer,
	`series_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "view_link_of_one_thing" CHECK(("view_links"."session_id" IS NULL) <> ("view_links"."series_id" IS NULL))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `one_view_link_per_session` ON `view_links` (`session_id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `one_view_link_per_series` ON `view_links` (`series_id`) WHERE series_id IS NOT NULL;