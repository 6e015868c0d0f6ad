// Browsers import this module, so it has no schemas.

import type { Tag } from '../change-tags.ts';
import type { Message } from '../http/chat/messages.ts';
import type { Change } from '../realtime.ts';
import { byFields, computed, type IsAffected, type ResponseDefinitions, unaffected } from './response.ts';

const conversations = (): Tag[] => ['conversations', 'people'];
const MESSAGES = 'Messages have events of their own';
const FILES = 'Team Chat updates files and links with the messages';
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
  '/changes': unaffected('For API clients; browsers use sockets'),
  '/chat/conversations': computed(conversations, isOutdated),
  '/chat/channels': computed(
    () => ['channels', 'conversations'],
    (change) => !isMessage(change),
  ),
  '/chat/conversations/:id': computed(conversations, isOutdated),
  '/chat/conversations/:id/participants': computed(conversations, (change) => !isMessage(change)),
  // Offered while typing.
  '/chat/conversations/:id/mention-groups': unaffected('Requested while a mention is typed'),
  '/chat/conversations/:id/unread-count': computed(() => ['conversations']),
  '/chat/conversations/:id/attachments': unaffected(FILES),
  '/chat/conversations/:id/links': unaffected(FILES),
  '/chat/messages': unaffected(MESSAGES),
  '/chat/messages/:id': computed(conversations, isOfMessage),
  '/chat/messages/:id/thread': unaffected(MESSAGES),
  '/chat/conversations/:id/pins': computed(conversations, isNotSent),
  '/chat/saved': computed(conversations, isNotSent),
  '/chat/drafts': computed(conversations, isNotSent),
  '/chat/scheduled': computed(() => ['people'], isNotSent),
  '/chat/emoji': computed(() => ['emoji', 'people']),
  '/chat/emoji/:id': unaffected('Contains a link that is in use'),
  '/chat/search': computed(conversations, isNotSent),
  '/chat/threads': computed(conversations, (change) => change.resource !== 'message'),
  // Renames do not change unread counts; messages and read positions have events of their own.
  '/chat/unread': computed(
    () => ['conversations'],
    (change, data) => !isMessage(change) && byFields('participants')(change, data),
  ),
  '/chat/attachments/:id': unaffected('A file never changes'),
  '/chat/attachments/:id/preview': unaffected('Contains a link that is in use'),
  '/chat/attachments/limits': unaffected('A setting of the deployment'),
  '/chat/attachments/history': unaffected('Statistics that are requested when they are opened'),
};
