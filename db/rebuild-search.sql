-- Empties the search index and the counts of activities and fills them from their rows: the last step of
-- `npm run search:rebuild`. Triggers maintain both, so this repairs rows that were changed without triggers.
INSERT INTO `activity_words` (`activity_words`) VALUES ('delete-all');
INSERT INTO `session_words` (`session_words`) VALUES ('delete-all');
INSERT INTO `hut_words` (`hut_words`) VALUES ('delete-all');
INSERT INTO `activity_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `activity_docs` ORDER BY key;
INSERT INTO `session_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `session_docs` ORDER BY key;
INSERT INTO `hut_words` (`rowid`, `title`, `summary`, `hut`, `filters`, `id`) SELECT key, title, summary, hut, filters, id FROM `hut_docs` ORDER BY key;
INSERT INTO `book_words` (`book_words`) VALUES ('delete-all');
INSERT INTO `book_words` (`rowid`, `title`) SELECT key, title FROM `book_docs` ORDER BY key;
INSERT INTO `goal_words` (`goal_words`) VALUES ('delete-all');
INSERT INTO `note_words` (`note_words`) VALUES ('delete-all');
INSERT INTO `log_words` (`log_words`) VALUES ('delete-all');
INSERT INTO `goal_words` (`rowid`, `words`) SELECT key, words FROM `goal_docs` ORDER BY key;
-- Each key is the id, or the first number behind the key before.
INSERT INTO `note_words` (`rowid`, `words`, `user_id`, `id`) SELECT place + max(id - place) OVER (ORDER BY place), words, user_id, id FROM (SELECT words, user_id, id, row_number() OVER (ORDER BY id, user_id) AS place FROM `note_docs`);
INSERT INTO `log_words` (`rowid`, `words`, `user_id`, `id`) SELECT place + max(id - place) OVER (ORDER BY place), words, user_id, id FROM (SELECT words, user_id, id, row_number() OVER (ORDER BY id, user_id) AS place FROM `log_docs`);
DELETE FROM `activity_counts`;
INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT 0, is_template, coalesce(category, ''), difficulty, count(*) FROM activities WHERE is_private = 0 GROUP BY 2, 3, 4;
INSERT INTO `activity_counts` (`hut_id`, `is_template`, `category`, `difficulty`, `count`) SELECT hut_id, is_template, coalesce(category, ''), difficulty, count(*) FROM activities WHERE hut_id IS NOT NULL GROUP BY 1, 2, 3, 4;
