import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { changePreferences as contract } from '@atrium/proto-events/http/chat/channels';
import type { Conversation, Preferences } from '@atrium/proto-events/http/chat/conversations';
import { searchNeedles } from '@atrium/proto-events/text/search';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { likePattern } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { listChannelRows } from '../model/conversations/channel-repository.ts';
import { findConversation, lockConversation } from '../model/conversations/conversation-repository.ts';
import { deleteLeftMembers } from '../model/conversations/member-group-repository.ts';
import { updatePreferences } from '../model/conversations/participant-repository.ts';
import { presentPreferences } from '../model/conversations/present-conversation.ts';
import { ARCHIVED } from '../model/policy.ts';
import { changeConversation, loadForChange } from './conversation-changes.ts';
import { assertCanManageChannel } from './manage-conversation.ts';
import { readAfterChange, readAsParticipant } from './read-conversations.ts';

type ListChannelsQuery = { page: number; limit: number; search?: string | undefined; archived: boolean };

export async function listChannels({ db }: Deps, caller: Caller, query: ListChannelsQuery) {
  const patterns = searchNeedles(query.search ?? '').map(likePattern);
  // A search of only punctuation matches nothing.
  if (query.search && patterns.length === 0) return toPage([], 0, query);
  const { rows, total } = await listChannelRows(db, {
    ...toLimits(query),
    patterns,
    viewerId: caller.userId,
    isArchived: query.archived,
  });
  const items = rows.map((row) => ({
    _id: row.conversation_id,
    title: row.title ?? '',
    purpose: row.purpose,
    participantCount: row.participant_count,
    joined: row.joined,
    archived: query.archived,
  }));
  return toPage(items, total, query);
}

export async function joinChannel(deps: Deps, caller: Caller, id: string): Promise<Conversation> {
  const change = await deps.db.transaction(async (tx) => {
    await lockConversation(tx, id);
    const row = await findConversation(tx, id, caller.userId, 0);
    if (!row || (row.visibility !== 'public' && row.last_read_seq === null)) throw notFound('Channel');
    if (row.last_read_seq !== null) return undefined;
    if (row.archived_at !== null) throw new AppError('conflict', ARCHIVED);
    await deleteLeftMembers(tx, id, [caller.userId]);
    return changeConversation(tx, id, { add: [caller.userId] }, caller.userId);
  });
  if (change) deps.broadcaster.conversationChanged(id, change);
  return readAsParticipant(deps, caller, id);
}

export async function archiveConversation(
  deps: Deps,
  caller: Caller,
  { id, archived }: { id: string; archived: boolean },
): Promise<Conversation> {
  const change = await deps.db.transaction(async (tx) => {
    const row = await loadForChange(tx, caller, id);
    assertCanManageChannel(caller, row);
    if (archived === (row.archived_at !== null)) return undefined;
    return changeConversation(tx, id, { archived }, caller.userId);
  });
  if (change) deps.broadcaster.conversationChanged(id, change);
  return readAfterChange(deps, caller, id);
}

export async function changePreferences(
  deps: Deps,
  caller: Caller,
  { id, preferences }: { id: string; preferences: RequestOf<typeof contract>['body'] },
): Promise<Preferences> {
  const row = await updatePreferences(deps.db, { conversationId: id, userId: caller.userId }, preferences);
  if (!row) throw notFound('Conversation');
  const changedPreferences = presentPreferences(row);
  deps.broadcaster.preferencesChanged(caller.userId, id, changedPreferences);
  return changedPreferences;
}
