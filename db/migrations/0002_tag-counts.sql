CREATE TABLE `tag_counts` (
	`user_id` integer NOT NULL,
	`tag` text NOT NULL,
	`goals` integer NOT NULL,
	PRIMARY KEY(`user_id`, `tag`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tags_by_use` ON `tag_counts` (`user_id`,goals DESC,`tag`);--> statement-breakpoint
INSERT INTO `tag_counts` (`user_id`, `tag`, `goals`) SELECT `user_id`, `tag`, count(*) FROM `goal_tags` GROUP BY 1, 2;--> statement-breakpoint
CREATE TRIGGER `goal_tagged` AFTER INSERT ON `goal_tags` BEGIN
  INSERT INTO `tag_counts` (`user_id`, `tag`, `goals`) VALUES (new.user_id, new.tag, 1) ON CONFLICT DO UPDATE SET `goals` = `goals` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `goal_untagged` AFTER DELETE ON `goal_tags` BEGIN
  UPDATE `tag_counts` SET `goals` = `goals` - 1 WHERE `user_id` = old.user_id AND `tag` = old.tag;
  DELETE FROM `tag_counts` WHERE `user_id` = old.user_id AND `tag` = old.tag AND `goals` < 1;
END;
