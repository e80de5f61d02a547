CREATE TABLE `library` (
	`uuid` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`thing` integer,
	`installed_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `is_example` integer DEFAULT false NOT NULL;
--> statement-breakpoint
DROP VIEW `session_docs`;--> statement-breakpoint
CREATE VIEW `session_docs` AS SELECT s.list_key AS key, trim(s.title || ' ' || s.title_pairs) AS title, iif(s.join_code = '', s.summary, '') AS summary, coalesce((SELECT trim(h.title || ' ' || h.title_pairs) FROM huts h WHERE h.id = s.hut_id), '') AS hut,
    char(57344) || 't' || s.is_template || ' ' || char(57344) || 'd' || s.difficulty || coalesce(' ' || char(57344) || 'h' || s.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(s.category)), '') AS filters, s.id AS id, s.hut_id FROM sessions s WHERE s.closed_at IS NULL AND s.is_private = 0 AND s.is_example = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = s.hut_id AND p.is_private = 1);
