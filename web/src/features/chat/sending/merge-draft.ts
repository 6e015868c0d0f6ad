import type { Draft as SavedDraft } from '@atrium/proto-events/http/chat/drafts';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { logIdOf } from '../log/log-id.ts';
import { fromContent } from '../text/composed-text.ts';
import { draftContent, getMessageDraft, isUnsaved, storeDraft } from './drafts.ts';

/** A text that was changed this recently is being typed, and is not replaced by another one. */
const TYPING_MS = 5_000;

export const hasSavedVersion = (owner: string, saved: SavedDraft): boolean =>
  (getMessageDraft(owner, logIdOf(saved)).server?.version ?? -1) >= saved.version;

/** Takes a draft of another device, unless the one of this device is being typed, or is later and not saved yet. */
export function mergeDraft(owner: string, saved: SavedDraft): void {
  const logId = logIdOf(saved);
  const local = getMessageDraft(owner, logId);
  const isSame = draftContent(local) === saved.content;
  const { editedAt = 0 } = local;
  const isRemoved = saved.content === '';
  const isLater = isUnsaved(local) && (isRemoved || editedAt > Date.parse(saved.updatedAt));
  const isBeingTyped = !isRemoved && Date.now() - editedAt < TYPING_MS;
  if (isSame || isLater || isBeingTyped) {
    const server = isRemoved ? undefined : { version: saved.version, content: saved.content };
    storeDraft(owner, logId, { ...local, server });
    return;
  }
  if (isRemoved) {
    storeDraft(owner, logId, { text: '' });
    return;
  }
  const composed = fromContent(saved.content, labelsOf(saved.mentions));
  // As it is read from the text here, so that a difference in form is not saved as a change.
  const server = { version: saved.version, content: draftContent(composed) };
  storeDraft(owner, logId, {
    ...composed,
    server,
    conversation: saved.conversation,
    alsoInConversation: local.alsoInConversation,
    editedAt: Date.parse(saved.updatedAt),
  });
}
