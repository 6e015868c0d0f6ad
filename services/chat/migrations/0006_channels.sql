alter table conversations
  -- Everyone can find and join a public channel.
  add column visibility text not null default 'private' check (visibility in ('private', 'public')),
  add column purpose text not null default '',
  -- Who can write messages; everyone can reply in threads.
  add column posting text not null default 'everyone' check (posting in ('everyone', 'managers')),
  add column archived_at timestamptz,
  -- What searches compare (`search_text`).
  add column search text not null default '';

create function fill_conversation_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(coalesce(new.title, '') || ' ' || new.purpose);
  return new;
end
$$;
create trigger conversations_search before insert or update of title, purpose on conversations
  for each row execute function fill_conversation_search();
update conversations set title = title where title is not null;
create index conversations_public on conversations (search collate "C", conversation_id) where visibility = 'public';

-- How a participant sees a conversation.
alter table participants
  add column notify text not null default 'all' check (notify in ('all', 'mentions', 'none')),
  add column starred boolean not null default false,
  add column hidden boolean not null default false,
  add column section text;
