import type { Draft } from '@atrium/proto-events/http/chat/drafts';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { DraftRow } from './draft-repository.ts';
import { presentMentions } from './present-message.ts';

export const presentDraft = (directory: Directory, { log_id, conversation_id, content, version }: DraftRow): Draft => ({
  _id: log_id,
  conversation: conversation_id,
  ...(log_id !== conversation_id && { thread: log_id }),
  content,
  mentions: presentMentions(directory, content),
  version,
  updatedAt: new Date(version).toISOString(),
});
