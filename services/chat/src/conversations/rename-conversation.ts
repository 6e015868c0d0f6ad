import type { Conversation } from '@atrium/proto-events/http/chat';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { changeConversation, loadForChange } from './conversation-changes.ts';
import { canRename, DIRECT_CHANGE_DENIED, MANAGE_DENIED } from './policy.ts';
import { readManagedConversation } from './read-conversations.ts';

export async function renameConversation(
  deps: Deps,
  caller: Caller,
  { id, title }: { id: string; title: string },
): Promise<Conversation> {
  const changed = await deps.db.transaction(async (tx) => {
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type === 'direct') throw new AppError('conflict', DIRECT_CHANGE_DENIED);
    if (!canRename(caller, conversation)) throw new AppError('forbidden', MANAGE_DENIED);
    if (title === conversation.title) return undefined;
    return changeConversation(tx, id, { title }, caller.userId);
  });
  if (changed) await deps.broadcaster.conversationChanged(id, changed);
  return readManagedConversation(deps, caller, id);
}
