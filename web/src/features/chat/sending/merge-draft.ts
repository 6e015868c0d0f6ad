import type { Draft as SavedDraft } from '@atrium/proto-events/http/chat/drafts';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { logIdOf } from '../log/log-id.ts';
import { fromContent, joinLines } from '../text/composed-text.ts';
import { draftContent, getMessageDraft, isChanged, storeDraft } from './drafts.ts';

export const hasSavedVersion = (owner: string, saved: SavedDraft): boolean =>
  (getMessageDraft(owner, logIdOf(saved)).server?.version ?? -1) >= saved.version;

/**
 * Takes a draft of another device. If the text was changed here as well, both texts are kept, and saved as the next
 * version; the clocks of devices differ, so that neither is known to be the later one.
 */
export function mergeDraft(owner: string, saved: SavedDraft): void {
  const logId = logIdOf(saved);
  const local = getMessageDraft(owner, logId);
  const content = draftContent(local);
  const isRemoved = saved.content === '';
  const isOwn = local.sent?.includes(saved.content);
  if (isOwn || content === saved.content || (isChanged(local) && content.includes(saved.content))) {
    const server = isRemoved ? undefined : { version: saved.version, content: saved.content };
    storeDraft(owner, logId, { ...local, server, sent: undefined });
    return;
  }
  if (isRemoved) {
    storeDraft(owner, logId, { text: '' });
    return;
  }
  const remote = fromContent(saved.content, labelsOf(saved.mentions));
  // As it is read from the text here, so that a difference in form is not saved as a change.
  const server = { version: saved.version, content: draftContent(remote) };
  const isKept = isChanged(local) && !saved.content.includes(content);
  storeDraft(owner, logId, {
    ...(isKept ? { ...local, ...joinLines(remote, local), sent: undefined, isRejected: undefined } : remote),
    server,
    conversation: saved.conversation,
    alsoInConversation: local.alsoInConversation,
    editedAt: isKept ? local.editedAt : Date.parse(saved.updatedAt),
  });
}
