CREATE TABLE `contributions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`user_id` integer,
	`username` text,
	`content` text NOT NULL,
	`content_html` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_contribution_per_change` ON `contributions` (`session_id`,`seq`);--> statement-breakpoint
CREATE INDEX `contributions_by_user` ON `contributions` (`user_id`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contributions_with_uploads` ON `contributions` (`id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
-- Contributions followed the host's text until now, and nobody knows their authors. Where the host has edited the whole
-- since, nobody knows whose words are whose, so none are the host's.
INSERT INTO `contributions` (`session_id`, `seq`, `user_id`, `username`, `content`, `content_html`, `created_at`)
  SELECT s.id, 0, NULL, NULL,
    ltrim(iif(is_start, substr(s.content, length(h.content) + 1), s.content), char(10)),
    ltrim(iif(is_start, substr(s.content_html, length(h.content_html) + 1), s.content_html), char(10)),
    s.updated_at
  FROM (SELECT t.*, substr(o.content, 1, length(t.content)) = t.content AND substr(o.content_html, 1, length(t.content_html)) = t.content_html AS is_start
    FROM `host_texts` t JOIN `sessions` o ON o.id = t.session_id WHERE o.content <> t.content) h
  JOIN `sessions` s ON s.id = h.session_id;--> statement-breakpoint
UPDATE `sessions` SET
    content = iif(substr(sessions.content, 1, length(h.content)) = h.content AND substr(sessions.content_html, 1, length(h.content_html)) = h.content_html, h.content, ''),
    content_html = iif(substr(sessions.content, 1, length(h.content)) = h.content AND substr(sessions.content_html, 1, length(h.content_html)) = h.content_html, h.content_html, '')
  FROM `host_texts` h WHERE h.session_id = sessions.id AND sessions.content <> h.content;--> statement-breakpoint
DROP TABLE `host_texts`;