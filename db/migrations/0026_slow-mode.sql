ALTER TABLE `sessions` ADD `slow_mode` integer DEFAULT 0 NOT NULL CONSTRAINT "slow_mode_known" CHECK (`slow_mode` IN (0, 5, 15, 60));
