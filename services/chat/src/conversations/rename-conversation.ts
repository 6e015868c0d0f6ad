import type { Conversation } from '@atrium/proto-events/http/chat';
import { AppError } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { changeConversation, loadForChange } from './conversation-changes.ts';
import { DIRECT_REFUSED, MANAGE_REFUSED, mayRename } from './policy.ts';
import { readManaged } from './read-conversations.ts';

/** Renames a group or project conversation (its creator, the project's manager, an administrator). */
export async function renameConversation(
  deps: Deps,
  caller: Caller,
  { id, title }: { id: string; title: string },
): Promise<Conversation> {
  const changed = await deps.db.transaction(async (tx) => {
    const conversation = await loadForChange(tx, caller, id);
    if (conversation.type === 'direct') throw new AppError('conflict', DIRECT_REFUSED);
    if (!mayRename(caller, conversation)) throw new AppError('forbidden', MANAGE_REFUSED);
    if (title === conversation.title) return undefined;
    return changeConversation(tx, id, { title }, caller.userId);
  });
  if (changed) await deps.announce.conversationChanged(id, changed);
  return readManaged(deps, caller, id);
}
