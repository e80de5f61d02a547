-- The full-text index (FTS5), which Drizzle cannot declare: each list's texts as a view, their words, and the words with
-- their number of rows. The triggers of triggers.sql write it, db/queries/search.ts reads it.

CREATE VIEW `activity_docs` AS SELECT a.id AS key, trim(a.title || ' ' || a.title_pairs) AS title, a.summary, coalesce((SELECT trim(h.title || ' ' || h.title_pairs) FROM huts h WHERE h.id = a.hut_id), '') AS hut,
    char(57344) || 't' || a.is_template || ' ' || char(57344) || 'd' || a.difficulty || coalesce(' ' || char(57344) || 'h' || a.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(a.category)), '') AS filters, a.id AS id, a.hut_id FROM activities a WHERE a.is_private = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = a.hut_id AND p.is_private = 1);
CREATE VIEW `session_docs` AS SELECT s.list_key AS key, trim(s.title || ' ' || s.title_pairs) AS title, iif(s.join_code = '', s.summary, '') AS summary, coalesce((SELECT trim(h.title || ' ' || h.title_pairs) FROM huts h WHERE h.id = s.hut_id), '') AS hut,
    char(57344) || 't' || s.is_template || ' ' || char(57344) || 'd' || s.difficulty || coalesce(' ' || char(57344) || 'h' || s.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(s.category)), '') AS filters, s.id AS id, s.hut_id FROM sessions s WHERE s.closed_at IS NULL AND s.is_private = 0 AND s.is_example = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = s.hut_id AND p.is_private = 1);
CREATE VIEW `hut_docs` AS SELECT h.id AS key, trim(h.title || ' ' || h.title_pairs) AS title, h.summary, '' AS hut, '' AS filters, h.id AS id FROM huts h WHERE h.is_private = 0;

CREATE VIRTUAL TABLE `activity_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE `session_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE `hut_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

-- Published books, by the words of their titles (H-06).
CREATE VIEW `book_docs` AS SELECT i.id AS key, trim(i.title || ' ' || i.title_pairs) AS title, i.id AS id FROM items i WHERE i.is_book = 1 AND i.status = 1 AND i.is_private = 0;
CREATE VIRTUAL TABLE `book_words` USING fts5(`title`, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

CREATE VIRTUAL TABLE `activity_terms` USING fts5vocab(`activity_words`, 'row');
CREATE VIRTUAL TABLE `session_terms` USING fts5vocab(`session_words`, 'row');
CREATE VIRTUAL TABLE `hut_terms` USING fts5vocab(`hut_words`, 'row');

-- The words of people's own goals, notes and logs (R-80), folded by `indexedWords`. Each begins with its owner's id, so that
-- a search reaches the words of its user alone, and no list of words is made of them. Ids of notes and logs are unique for
-- their owner, so the key of a row is its id or the first free number behind it, which is in the order of the list.
CREATE VIEW `goal_docs` AS SELECT g.id AS key, char(57344) || g.user_id || char(57344) || replace(g.search_text, ' ', ' ' || char(57344) || g.user_id || char(57344)) || ' ' || char(57344) || g.user_id || char(57344) || char(57344) || 's' || g.status AS words, g.id AS id FROM goals g WHERE g.session_id IS NULL AND g.activity_id IS NULL;
CREATE VIEW `note_docs` AS SELECT (SELECT min(free.key) FROM (SELECT n.id AS key UNION ALL SELECT w.rowid + 1 FROM note_words w WHERE w.rowid BETWEEN n.id AND n.id + 998) free WHERE NOT EXISTS (SELECT 1 FROM note_words w WHERE w.rowid = free.key)) AS key, char(57344) || n.user_id || char(57344) || replace(n.search_text, ' ', ' ' || char(57344) || n.user_id || char(57344)) AS words, n.user_id AS user_id, n.id AS id FROM notes n WHERE n.search_text <> '';
CREATE VIEW `log_docs` AS SELECT (SELECT min(free.key) FROM (SELECT l.id AS key UNION ALL SELECT w.rowid + 1 FROM log_words w WHERE w.rowid BETWEEN l.id AND l.id + 998) free WHERE NOT EXISTS (SELECT 1 FROM log_words w WHERE w.rowid = free.key)) AS key, char(57344) || l.user_id || char(57344) || replace(l.search_text, ' ', ' ' || char(57344) || l.user_id || char(57344)) AS words, l.user_id AS user_id, l.id AS id FROM logs l WHERE l.search_text <> '';

CREATE VIRTUAL TABLE `goal_words` USING fts5(`words`, content = '', contentless_delete = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
CREATE VIRTUAL TABLE `note_words` USING fts5(`words`, `user_id` UNINDEXED, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
CREATE VIRTUAL TABLE `log_words` USING fts5(`words`, `user_id` UNINDEXED, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
