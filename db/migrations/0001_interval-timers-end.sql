ALTER TABLE `logs` ADD `is_interval` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `logs_running_out` ON `logs` (`ended_at`) WHERE status = 1 AND is_interval = 1;