DROP INDEX `activities_by_category`;--> statement-breakpoint
DROP INDEX `activities_by_difficulty`;--> statement-breakpoint
DROP INDEX `activities_by_hut`;--> statement-breakpoint
CREATE INDEX `activities_by_hut` ON `activities` (`hut_id`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `sessions_open`;--> statement-breakpoint
DROP INDEX `sessions_open_by_category`;--> statement-breakpoint
DROP INDEX `sessions_open_by_difficulty`;--> statement-breakpoint
DROP INDEX `sessions_open_by_both`;--> statement-breakpoint
DROP INDEX `sessions_by_activity`;--> statement-breakpoint
DROP INDEX `sessions_by_hut`;--> statement-breakpoint
CREATE INDEX `sessions_by_activity` ON `sessions` (`activity_id`,`closed_at`) WHERE activity_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_by_hut` ON `sessions` (`hut_id`,`closed_at`) WHERE hut_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `goals_by_session`;--> statement-breakpoint
DROP INDEX `goals_by_activity`;--> statement-breakpoint
DROP INDEX `goals_by_attachment`;--> statement-breakpoint
CREATE INDEX `goals_by_session` ON `goals` (`session_id`,`position`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `goals_by_activity` ON `goals` (`activity_id`,`position`) WHERE activity_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `goals_by_attachment` ON `goals` (`attached_session_id`,`user_id`) WHERE attached_session_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `logs_by_goal`;--> statement-breakpoint
DROP INDEX `logs_by_session`;--> statement-breakpoint
CREATE INDEX `logs_by_goal` ON `logs` (`goal_id`,`goal_place`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `logs_by_session` ON `logs` (`session_id`,`session_place`) WHERE session_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `notes_by_goal`;--> statement-breakpoint
CREATE INDEX `notes_by_goal` ON `notes` (`goal_id`,`goal_place`) WHERE goal_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `posts_by_session`;--> statement-breakpoint
DROP INDEX `posts_by_hut`;--> statement-breakpoint
CREATE INDEX `posts_by_session` ON `posts` (`session_id`,`place`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_hut` ON `posts` (`hut_id`,`place`) WHERE hut_id IS NOT NULL;