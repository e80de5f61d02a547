CREATE TABLE `goal_measures` (
	`goal_id` integer NOT NULL,
	`day` text NOT NULL,
	`target` text NOT NULL,
	`recurrence` text,
	`unit` text NOT NULL,
	PRIMARY KEY(`goal_id`, `day`),
	FOREIGN KEY (`goal_id`) REFERENCES `goals`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
