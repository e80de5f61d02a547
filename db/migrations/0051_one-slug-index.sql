-- A slug is unique in `slugs`, so the sessions need no index of their own for it.
DROP INDEX `session_slug_unique`;