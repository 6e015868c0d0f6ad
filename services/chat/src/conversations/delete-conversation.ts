import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { discardConversation, loadForChange } from './conversation-changes.ts';
import { canDelete, DIRECT_DELETE_DENIED, MANAGE_DENIED } from './policy.ts';
import { closeProject } from './project-repository.ts';

/** Permanent: a project does not get another conversation. */
export async function deleteConversation({ db, broadcaster }: Deps, caller: Caller, id: string): Promise<void> {
  const formerParticipants = await db.transaction(async (tx) => {
    // Locked before the conversation, in the same order as by project events.
    await closeProject(tx, id);
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type === 'direct') throw new AppError('forbidden', DIRECT_DELETE_DENIED);
    if (!canDelete(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
    return discardConversation(tx, conversation, caller.userId);
  });
  broadcaster.conversationDeleted(id, formerParticipants);
}
