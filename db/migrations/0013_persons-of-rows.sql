ALTER TABLE `activities` ADD `person_id` integer;--> statement-breakpoint
ALTER TABLE `hut_members` ADD `person_id` integer;--> statement-breakpoint
ALTER TABLE `hut_requests` ADD `person_id` integer;--> statement-breakpoint
ALTER TABLE `sanctions` ADD `person_id` integer;--> statement-breakpoint
ALTER TABLE `rota_hosts` ADD `person_id` integer;--> statement-breakpoint
ALTER TABLE `series` ADD `person_id` integer;--> statement-breakpoint
ALTER TABLE `standing_seats` ADD `person_id` integer;