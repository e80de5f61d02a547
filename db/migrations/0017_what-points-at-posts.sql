CREATE TABLE `kept_names` (
	`hash` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `kept_names_by_end` ON `kept_names` (`until`);--> statement-breakpoint
CREATE INDEX `notices_by_post` ON `notices` (body ->> '$.post') WHERE body ->> '$.post' IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `post_notices_removed` AFTER UPDATE OF `removed_at` ON `posts` WHEN NEW.`removed_at` IS NOT NULL AND OLD.`removed_at` IS NULL
BEGIN
  UPDATE `notices` SET `others` = (SELECT json_group_array(json(value)) FROM json_each(`others`) WHERE value ->> '$.post' IS NOT NEW.`id`), `merged` = max(0, `merged` - 1)
    WHERE `body` ->> '$.post' IN (SELECT `id` FROM `posts` WHERE `parent_id` = NEW.`parent_id`) AND EXISTS (SELECT 1 FROM json_each(`others`) WHERE value ->> '$.post' = NEW.`id`);
  UPDATE `notices` SET `body` = json_patch(`body`, `others` -> '$[0]'), `others` = json_remove(`others`, '$[0]'), `merged` = max(0, `merged` - 1)
    WHERE `body` ->> '$.post' = NEW.`id` AND `others` -> '$[0]' ->> '$.post' IS NOT NULL;
  UPDATE `users` SET `unread_notices` = max(0, `unread_notices` - (SELECT count(*) FROM `notices` n WHERE n.`body` ->> '$.post' = NEW.`id` AND n.`user_id` = `users`.`id` AND n.`read_at` IS NULL))
    WHERE `id` IN (SELECT n.`user_id` FROM `notices` n WHERE n.`body` ->> '$.post' = NEW.`id` AND n.`read_at` IS NULL);
  DELETE FROM `notices` WHERE `body` ->> '$.post' = NEW.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `post_notices_gone` AFTER DELETE ON `posts`
BEGIN
  UPDATE `users` SET `unread_notices` = max(0, `unread_notices` - (SELECT count(*) FROM `notices` n WHERE n.`body` ->> '$.post' = OLD.`id` AND n.`user_id` = `users`.`id` AND n.`read_at` IS NULL))
    WHERE `id` IN (SELECT n.`user_id` FROM `notices` n WHERE n.`body` ->> '$.post' = OLD.`id` AND n.`read_at` IS NULL);
  DELETE FROM `notices` WHERE `body` ->> '$.post' = OLD.`id`;
END;
