-- Up Migration

-- By what a document opens itself to people, named by nobody: `all` to everybody, `p…` to those of a project, `u…` to its uploader alone.
create function document_scope(visibility text, project_id text, uploaded_by text) returns text
language sql immutable parallel safe as $$
  select case
    when visibility = 'private' then 'u' || uploaded_by
    when visibility = 'team' and project_id is not null then 'p' || project_id
    else 'all'
  end
$$;

-- Sums ask for a week, and no sum for an hour before that.
create function sum_hour(at timestamptz) returns timestamptz language sql stable parallel safe as $$
  select case when at < now() - interval '8 days' then '-infinity'::timestamptz else date_trunc('hour', at, 'UTC') end
$$;

-- How many documents and bytes are in a scope, by the hour of their making: with '' for a tag those of all, else those with that tag.
create table document_sums (
  scope text collate "C" not null,
  tag text collate "C" not null,
  hour timestamptz not null,
  documents bigint not null,
  bytes bigint not null,
  primary key (scope, tag, hour)
);
create index document_sums_empty on document_sums (scope) where documents = 0;
create index document_sums_recent on document_sums (hour) where hour > '-infinity';

-- What came and went since they were last added up. No two writers touch the same row of it, so that none waits for another.
create table document_sum_changes (
  scope text collate "C" not null,
  tag text collate "C" not null,
  hour timestamptz not null,
  documents bigint not null,
  bytes bigint not null
);

create view document_totals as
  select scope, tag, hour, documents, bytes from document_sums
  union all
  select scope, tag, hour, documents, bytes from document_sum_changes;

create function change_sums(d all_documents, times integer) returns void language plpgsql as $$
declare
  scope text := document_scope(d.visibility, d.project_id, d.uploaded_by);
begin
  insert into document_sum_changes (scope, tag, hour, documents, bytes)
  values (scope, '', sum_hour(d.created_at), times, times * d.size);
  insert into document_sum_changes (scope, tag, hour, documents, bytes)
  select distinct scope, t.tag, '-infinity'::timestamptz, times, 0 from unnest(d.tags) as t (tag) where t.tag <> '';
end $$;

-- Whoever writes, also a pod of the release before. What is in the bin counts nowhere.
create function sum_document() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.deleted_at is null then perform change_sums(old, -1); end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.deleted_at is null then perform change_sums(new, 1); end if;
  end if;
  return null;
end $$;

-- The downloads of those that have any. Beside the row, whose counter stands in no index: counting must not write them all anew.
create table document_popularity (
  document_id text primary key,
  scope text collate "C" not null,
  downloads bigint not null
);

create function rank_document() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null or new.downloads = 0 then
    delete from document_popularity where document_id = new.id;
  else
    insert into document_popularity (document_id, scope, downloads)
    values (new.id, document_scope(new.visibility, new.project_id, new.uploaded_by), new.downloads)
    on conflict (document_id) do update set scope = excluded.scope, downloads = excluded.downloads;
  end if;
  return null;
end $$;

-- Nobody writes until the triggers count: one or two seconds for 100,000 documents. What would be done for each row is done at once, after it.
lock table all_documents in share row exclusive mode;

insert into document_sums (scope, tag, hour, documents, bytes)
select document_scope(visibility, project_id, uploaded_by), '', sum_hour(created_at), count(*), sum(size)
from all_documents where deleted_at is null group by 1, 3;
insert into document_sums (scope, tag, hour, documents, bytes)
select document_scope(d.visibility, d.project_id, d.uploaded_by), t.tag, '-infinity', count(*), 0
from all_documents d, lateral (select distinct tag from unnest(d.tags) as t (tag) where tag <> '') t
where d.deleted_at is null group by 1, 2;
insert into document_popularity (document_id, scope, downloads)
select id, document_scope(visibility, project_id, uploaded_by), downloads
from all_documents where deleted_at is null and downloads > 0;
alter table document_popularity add foreign key (document_id) references all_documents (id) on delete cascade;
create index document_popularity_of_scope on document_popularity (scope, downloads desc, document_id desc);
create index document_popularity_of_all on document_popularity (downloads desc, document_id desc);

create trigger documents_sum after insert or delete on all_documents
  for each row execute function sum_document();
create trigger documents_sum_again after update on all_documents
  for each row when (
    (old.visibility, old.project_id, old.uploaded_by, old.size, old.tags, old.deleted_at is null)
    is distinct from (new.visibility, new.project_id, new.uploaded_by, new.size, new.tags, new.deleted_at is null)
  ) execute function sum_document();
create trigger documents_rank after insert on all_documents
  for each row when (new.downloads > 0) execute function rank_document();
create trigger documents_rank_again after update on all_documents
  for each row when (
    (old.visibility, old.project_id, old.uploaded_by, old.downloads, old.deleted_at is null)
    is distinct from (new.visibility, new.project_id, new.uploaded_by, new.downloads, new.deleted_at is null)
    and (old.downloads > 0 or new.downloads > 0)
  ) execute function rank_document();

-- Down Migration

drop trigger documents_rank_again on all_documents;
drop trigger documents_rank on all_documents;
drop trigger documents_sum_again on all_documents;
drop trigger documents_sum on all_documents;
drop function rank_document();
drop table document_popularity;
drop function sum_document();
drop function change_sums(all_documents, integer);
drop view document_totals;
drop table document_sum_changes;
drop table document_sums;
drop function sum_hour(timestamptz);
drop function document_scope(text, text, text);
