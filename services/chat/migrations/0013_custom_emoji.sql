-- Emoji of the workspace, used in text and as reactions by their names. Those of a deleted emoji remain, as text.
create table custom_emoji (
  emoji_id text primary key,
  name text not null,
  object_key text not null,
  sha256 text not null,
  size bigint not null,
  mimetype text not null,
  uploader_id text not null,
  created_at timestamptz not null default now()
);
create unique index custom_emoji_name on custom_emoji (name);

create trigger custom_emoji_add_reference after insert on custom_emoji
  for each row execute function add_object_reference();
create trigger custom_emoji_remove_reference after delete on custom_emoji
  for each row execute function remove_object_reference();
