-- Up Migration

-- What is written waits in a list that every search reads until somebody's write puts all of it into the index: of 4 MB, which is the
-- default, that is some milliseconds for each search, and now and then a third of a second for a write.
alter index if exists tasks_by_words set (gin_pending_list_limit = 256);
