import type { Participant } from '@atrium/proto-events/http/chat/channels';
import { searchNeedles } from '@atrium/proto-events/text/search';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { toSearchableName } from '@atrium/service-kit/directory/find-by-names';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { type ConversationRow, findConversation } from '../model/conversations/conversation-repository.ts';
import {
  listParticipantIds,
  listParticipantRows,
  type ParticipantRow,
} from '../model/conversations/participant-repository.ts';
import { canManageParticipants } from '../model/policy.ts';

type ListParticipantsQuery = { id: string; page: number; limit: number; search?: string | undefined };

export async function listParticipants({ db, directory }: Deps, caller: Caller, query: ListParticipantsQuery) {
  const { id, search } = query;
  const conversation = await findConversation(db, id, caller.userId, 0);
  if (!conversation || conversation.last_read_seq === null) throw notFound('Conversation');
  const limits = toLimits(query);
  const foundIds = search ? filterByName(directory, await listParticipantIds(db, id), search) : undefined;
  const pageIds = foundIds?.slice(limits.offset, limits.offset + limits.limit);
  const rows = await listParticipantRows(db, id, pageIds ?? limits);
  return toPage(
    rows.map((row) => presentParticipant(directory, { caller, conversation, row })),
    foundIds?.length ?? conversation.participant_count,
    query,
  );
}

type Presented = { caller: Caller; conversation: ConversationRow; row: ParticipantRow };

const presentParticipant = (directory: Directory, { caller, conversation, row }: Presented): Participant => ({
  _id: row.user_id,
  user: directory.summary(row.user_id),
  byGroup: row.by_rule,
  removable:
    canManageParticipants(caller, conversation) &&
    row.user_id !== caller.userId &&
    row.user_id !== conversation.created_by &&
    !row.is_required &&
    !conversation.project_member_ids?.includes(row.user_id),
});

/** Names are in the directory only. A search of only punctuation matches nothing. */
function filterByName(directory: Directory, userIds: string[], search: string): string[] {
  const needles = searchNeedles(search);
  if (needles.length === 0) return [];
  return userIds.filter((id) => {
    const user = directory.user(id);
    if (!user || user.deleted) return false;
    const name = toSearchableName(user);
    return needles.every((needle) => name.includes(needle));
  });
}
