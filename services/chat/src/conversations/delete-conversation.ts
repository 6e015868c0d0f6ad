import { AppError } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { discardConversation, loadForChange } from './conversation-changes.ts';
import { DIRECT_DELETE_REFUSED, MANAGE_REFUSED, mayDelete } from './policy.ts';
import { closeProject } from './project-repository.ts';

/** Deletes a group or project conversation with all its messages, for good: a project does not get another. */
export async function deleteConversation({ db, announce }: Deps, caller: Caller, id: string): Promise<void> {
  const left = await db.transaction(async (tx) => {
    // Before the conversation, in the order in which the project's own events take the two.
    await closeProject(tx, id);
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type === 'direct') throw new AppError('forbidden', DIRECT_DELETE_REFUSED);
    if (!mayDelete(caller, conversation)) throw new AppError('forbidden', MANAGE_REFUSED);
    return discardConversation(tx, conversation, caller.userId);
  });
  announce.conversationGone(id, left);
}
