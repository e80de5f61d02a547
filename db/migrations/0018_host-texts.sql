CREATE TABLE `host_texts` (
	`session_id` integer PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`content_html` text NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `host_texts_with_uploads` ON `host_texts` (`session_id`) WHERE instr(content, '/uploads/') > 0;--> statement-breakpoint
-- The text of a session that ran may already hold contributions that nothing separates, so viewers without a seat see
-- none.
INSERT INTO `host_texts` (`session_id`, `content`, `content_html`) SELECT `id`, '', '' FROM `sessions` WHERE `room_version` > 0 AND (`schedule` LIKE '%"isPerParticipant":true%' OR `schedule` LIKE '%"mayEditContent":true%');
