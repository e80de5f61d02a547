-- Deployed D1 limits a row to 2,000,000 bytes, the local database does not; a row's texts may have 1,000,000. The
-- error reads like a broken CHECK and names the longest field. The room bounds a running session's texts and plan;
-- its writes raise `room_version`.
CREATE TRIGGER `activities_bytes_new` BEFORE INSERT ON `activities` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.schedule) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.schedule) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.schedule)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_schedule') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `activities_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary`, `schedule` ON `activities` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.schedule) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.schedule) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.schedule)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_schedule') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `goals_bytes_new` BEFORE INSERT ON `goals` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.items) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_items') WHEN octet_length(NEW.quick_log_buttons) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_quick_log_buttons') WHEN octet_length(NEW.timers) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_timers') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `goals_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary`, `items`, `quick_log_buttons`, `timers` ON `goals` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.items) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_items') WHEN octet_length(NEW.quick_log_buttons) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_quick_log_buttons') WHEN octet_length(NEW.timers) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.items) + octet_length(NEW.quick_log_buttons) + octet_length(NEW.timers)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_timers') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `huts_bytes_new` BEFORE INSERT ON `huts` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `huts_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary` ON `huts` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `items_bytes_new` BEFORE INSERT ON `items` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.url) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `items_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary`, `url` ON `items` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.url) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `logs_bytes_new` BEFORE INSERT ON `logs` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `logs_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary` ON `logs` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `notes_bytes_new` BEFORE INSERT ON `notes` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.todo) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_todo') WHEN octet_length(NEW.done) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_done') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `notes_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary`, `todo`, `done` ON `notes` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.todo) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_todo') WHEN octet_length(NEW.done) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.todo) + octet_length(NEW.done)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_done') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `paraphrases_bytes_new` BEFORE INSERT ON `paraphrases` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `paraphrases_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary` ON `paraphrases` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `posts_bytes_new` BEFORE INSERT ON `posts` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `posts_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary` ON `posts` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `sessions_bytes_new` BEFORE INSERT ON `sessions` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.prompt) + octet_length(NEW.schedule) > 1000000 BEGIN
  SELECT CASE WHEN octet_length(NEW.prompt) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.prompt) + octet_length(NEW.schedule)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_prompt') WHEN octet_length(NEW.schedule) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.prompt) + octet_length(NEW.schedule)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_schedule') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `sessions_bytes_changed` BEFORE UPDATE OF `content`, `content_html`, `summary`, `prompt` ON `sessions` WHEN octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.prompt) > 1000000 AND NEW.room_version = OLD.room_version BEGIN
  SELECT CASE WHEN octet_length(NEW.prompt) > (octet_length(NEW.content) + octet_length(NEW.content_html) + octet_length(NEW.summary) + octet_length(NEW.prompt)) / 2 THEN RAISE(ABORT, 'CHECK constraint failed: row_fits_prompt') ELSE RAISE(ABORT, 'CHECK constraint failed: row_fits_content') END;
END;--> statement-breakpoint
CREATE TRIGGER `snippets_bytes_new` BEFORE INSERT ON `snippets` WHEN octet_length(NEW.content) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;--> statement-breakpoint
CREATE TRIGGER `snippets_bytes_changed` BEFORE UPDATE OF `content` ON `snippets` WHEN octet_length(NEW.content) > 1000000 BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: row_fits_content');
END;
