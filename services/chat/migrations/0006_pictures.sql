-- Up Migration

-- What is made of an image to be looked at, as documents has it (decisions 51 and 57): a small picture for messages and lists, and a large
-- one. They are made once, whichever messages name the image's object, are objects themselves, so that the sweep knows them (pods of
-- before, too), and go with it.
create table thumbnails (
  object_key text collate "C" primary key references objects (object_key) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  -- Why there are none.
  reason text,
  -- Of the small one, in pixels.
  width integer,
  height integer,
  thumbnail_key text collate "C",
  preview_key text collate "C",
  -- How often something else than the image was at fault, as a store that was away.
  tries integer not null default 0,
  -- How many began to draw it and were never heard of again.
  unfinished integer not null default 0,
  not_before timestamptz not null default now(),
  wanted_at timestamptz not null default now()
);
-- The newest first: somebody looks at it now, and what was there before has waited already.
create index thumbnails_pending on thumbnails (wanted_at desc) where state = 'pending';

create function has_thumbnail(mimetype text) returns boolean language sql immutable strict parallel safe as $$
  select mimetype in ('image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff')
$$;

-- Whoever writes, also a pod of the release before: an image that is sent is drawn.
create function queue_thumbnail() returns trigger language plpgsql as $$
begin
  insert into thumbnails (object_key) values (new.object_key) on conflict do nothing;
  return null;
end $$;
-- After `attachments_refer`, by its name: that one makes the object.
create trigger attachments_thumbnail after insert on attachments
  for each row when (has_thumbnail(new.mimetype)) execute function queue_thumbnail();

-- The pictures go with the image, whatever takes that along.
create function drop_pictures() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from objects where object_key in (old.thumbnail_key, old.preview_key) returning object_key
  ) insert into objects_to_delete (object_key) select object_key from gone on conflict do nothing;
  return null;
end $$;
create trigger thumbnails_let_go after delete on thumbnails for each row execute function drop_pictures();

-- A picture that the store has lost is drawn again. Its key begins with that of its image.
create function draw_again() returns trigger language plpgsql as $$
begin
  update thumbnails set state = 'pending', not_before = now()
  where object_key = regexp_replace(new.object_key, '\.\d+\.webp$', '') and state = 'done';
  return null;
end $$;
create trigger objects_draw_again after update of missing_since on objects
  for each row when (new.owner_id = '' and new.missing_since is not null and old.missing_since is null)
  execute function draw_again();

insert into thumbnails (object_key, wanted_at) select object_key, created_at from objects where has_thumbnail(mimetype);

-- Down Migration

drop trigger objects_draw_again on objects;
drop function draw_again();
drop trigger attachments_thumbnail on attachments;
drop function queue_thumbnail();
drop function has_thumbnail(text);
delete from thumbnails;
drop table thumbnails;
drop function drop_pictures();
