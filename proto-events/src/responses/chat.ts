// Browsers import this module, so it has no schemas.

import type { Tag } from '../change-tags.ts';
import type { Message } from '../http/chat/messages.ts';
import type { Change } from '../realtime.ts';
import { byFields, computed, type IsAffected, type ResponseDefinitions, UNAFFECTED } from './response.ts';

const conversations = (): Tag[] => ['conversations', 'people'];
/** Whether it is a change of a message or a reply. */
export const isMessage = ({ resource }: { resource: string }) => resource === 'message' || resource === 'reply';

/** Whether it is only the creation of messages. One that changed them too, such as by a pin, has a revision. */
const isOnlySent = ({ action, revision }: Change) => action === 'created' && revision === undefined;

/** Whether it is a change of what exists. */
const isNotSent: IsAffected = (change) => !isMessage(change) || !isOnlySent(change);

type Shown = { _id: string; version: number };

/** Browsers also receive the conversation on `/chat`, so that a response may show its version already. */
const isOutdated: IsAffected = (change, response) => {
  if (isMessage(change)) return false;
  const { id, action, version } = change;
  const { data, ...item } = (response ?? {}) as Partial<Shown> & { data?: readonly Shown[] };
  if (item._id !== undefined && item._id !== id) return false;
  const shownVersion = data ? data.find(({ _id }) => _id === id)?.version : item.version;
  return action === 'deleted' || shownVersion === undefined || shownVersion < version;
};

/** A change of a message has the id of its conversation, and one of a reply that of its root. */
const isOfMessage: IsAffected = (change, response) => {
  if (!isMessage(change)) return byFields('participants')(change, response);
  if (isOnlySent(change)) return false;
  const shown = response as Partial<Message> | undefined;
  return shown === undefined || change.id === shown.conversation || change.id === shown.thread?.root;
};

export const CHAT_RESPONSES: ResponseDefinitions = {
  // For API clients; browsers use sockets.
  '/changes': UNAFFECTED,
  '/chat/conversations': computed(conversations, isOutdated),
  '/chat/channels': computed(
    () => ['channels', 'conversations'],
    (change) => !isMessage(change),
  ),
  '/chat/conversations/:id': computed(conversations, isOutdated),
  '/chat/conversations/:id/participants': computed(conversations, (change) => !isMessage(change)),
  // Requested while a mention is typed.
  '/chat/conversations/:id/mention-groups': UNAFFECTED,
  '/chat/conversations/:id/unread-count': computed(() => ['conversations']),
  // Team Chat updates files and links with the messages.
  '/chat/conversations/:id/attachments': UNAFFECTED,
  '/chat/conversations/:id/links': UNAFFECTED,
  // Messages have events of their own.
  '/chat/messages': UNAFFECTED,
  '/chat/messages/:id': computed(conversations, isOfMessage),
  // Messages have events of their own.
  '/chat/messages/:id/thread': UNAFFECTED,
  '/chat/conversations/:id/pins': computed(conversations, isNotSent),
  '/chat/saved': computed(conversations, isNotSent),
  '/chat/drafts': computed(conversations, isNotSent),
  '/chat/scheduled': computed(() => ['people'], isNotSent),
  '/chat/emoji': computed(() => ['emoji', 'people']),
  // Contains a link that is in use.
  '/chat/emoji/:id': UNAFFECTED,
  '/chat/search': computed(conversations, isNotSent),
  '/chat/threads': computed(conversations, (change) => change.resource !== 'message'),
  // Renames do not change unread counts; messages and read positions have events of their own.
  '/chat/unread': computed(
    () => ['conversations'],
    (change, data) => !isMessage(change) && byFields('participants')(change, data),
  ),
  // A file never changes.
  '/chat/attachments/:id': UNAFFECTED,
  // Contains a link that is in use.
  '/chat/attachments/:id/preview': UNAFFECTED,
  // A setting of the deployment.
  '/chat/attachments/limits': UNAFFECTED,
  // Statistics that are requested when they are opened.
  '/chat/attachments/history': UNAFFECTED,
};
