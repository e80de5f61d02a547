CREATE TABLE `chats_to_copy` (
	`session_id` integer PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `chats_to_copy` (`session_id`, `due_at`) SELECT DISTINCT s.`id`, 0 FROM `token_entries` e JOIN `sessions` s ON s.`id` = CAST(substr(e.`reference`, 6, instr(substr(e.`reference`, 6), ':') - 1) AS INTEGER) WHERE e.`reference` >= 'chat:' AND e.`reference` < 'chat;';
