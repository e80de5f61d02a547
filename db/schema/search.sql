-- The full-text index (FTS5), which Drizzle cannot declare: each list's texts as a view, their words, and the words with
-- their number of rows. The triggers of triggers.sql write it, db/queries/search.ts reads it.

CREATE VIEW `activity_docs` AS SELECT a.id AS key, trim(a.title || ' ' || a.title_pairs) AS title, a.summary, coalesce((SELECT trim(h.title || ' ' || h.title_pairs) FROM huts h WHERE h.id = a.hut_id), '') AS hut,
    char(57344) || 't' || a.is_template || ' ' || char(57344) || 'd' || a.difficulty || coalesce(' ' || char(57344) || 'h' || a.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(a.category)), '') AS filters, a.id AS id, a.hut_id FROM activities a WHERE a.is_private = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = a.hut_id AND p.is_private = 1);
CREATE VIEW `session_docs` AS SELECT s.list_key AS key, trim(s.title || ' ' || s.title_pairs) AS title, iif(s.join_code = '', s.summary, '') AS summary, coalesce((SELECT trim(h.title || ' ' || h.title_pairs) FROM huts h WHERE h.id = s.hut_id), '') AS hut,
    char(57344) || 't' || s.is_template || ' ' || char(57344) || 'd' || s.difficulty || coalesce(' ' || char(57344) || 'h' || s.hut_id, '') || coalesce(' ' || char(57344) || 'c' || lower(hex(s.category)), '') AS filters, s.id AS id, s.hut_id FROM sessions s WHERE s.closed_at IS NULL AND s.is_private = 0 AND NOT EXISTS (SELECT 1 FROM huts p WHERE p.id = s.hut_id AND p.is_private = 1);
CREATE VIEW `hut_docs` AS SELECT h.id AS key, trim(h.title || ' ' || h.title_pairs) AS title, h.summary, '' AS hut, '' AS filters, h.id AS id FROM huts h WHERE h.is_private = 0;

CREATE VIRTUAL TABLE `activity_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE `session_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE `hut_words` USING fts5(`title`, `summary`, `hut`, `filters`, `id` UNINDEXED, content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

CREATE VIRTUAL TABLE `activity_terms` USING fts5vocab(`activity_words`, 'row');
CREATE VIRTUAL TABLE `session_terms` USING fts5vocab(`session_words`, 'row');
CREATE VIRTUAL TABLE `hut_terms` USING fts5vocab(`hut_words`, 'row');
