ALTER TABLE `mailbox` ADD `headers` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `mailbox` ADD `attachments` text DEFAULT '[]' NOT NULL;