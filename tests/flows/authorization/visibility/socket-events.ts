import type { ITEM_TAGS } from '@atrium/proto-events/change-tags';
import type {
  ChatServerEvents,
  chatClientPayloads,
  LiveServerEvents,
  liveClientPayloads,
} from '@atrium/proto-events/realtime';
import { type IdSet, OWN } from './channels.ts';
import type { Channel } from './kinds.ts';

/** Client events of `/chat`, with the resources that they refer to. */
export const CHAT_CLIENT_EVENTS: Record<keyof typeof chatClientPayloads, 'conversations' | 'users' | typeof OWN> = {
  'auth:refresh': OWN,
  'message:send': 'conversations',
  'message:read': 'conversations',
  'typing:start': 'conversations',
  'typing:stop': 'conversations',
  'conversation:join': 'conversations',
  'conversation:leave': 'conversations',
  'conversation:create': OWN,
  'user:presence': OWN,
  'presence:subscribe': 'users',
};

/** Client events of `/live`, with the resources that they refer to. */
export const LIVE_CLIENT_EVENTS: Record<keyof typeof liveClientPayloads, 'tags' | typeof OWN> = {
  'auth:refresh': OWN,
  subscribe: 'tags',
};

/** The channel of each server event. */
export const SERVER_EVENTS: Record<keyof ChatServerEvents | keyof LiveServerEvents, Channel> = {
  'message:new': '/chat',
  'message:updated': '/chat',
  'message:deleted': '/chat',
  'message:saved': '/chat',
  'draft:changed': '/chat',
  'scheduled:changed': '/chat',
  'message:read': '/chat',
  'thread:message': '/chat',
  'thread:reply': '/chat',
  'conversation:preferences': '/chat',
  'thread:read': '/chat',
  'conversation:state': '/chat',
  'typing:start': '/chat',
  'typing:stop': '/chat',
  'user:online': 'presence',
  'user:offline': 'presence',
  'conversation:new': '/chat',
  'conversation:updated': '/chat',
  'conversation:deleted': '/chat',
  'conversation:participant_added': '/chat',
  'conversation:participant_removed': '/chat',
  changed: '/live',
  position: '/live',
  resync: '/live',
};

/** The resources of each tag of one resource. */
export const ITEM_TAG_SETS: Record<(typeof ITEM_TAGS)[number], IdSet> = {
  project: 'projects',
  task: 'tasks',
  'tasks-in': 'projects',
  'tasks-of': 'users',
  'tasks-by': 'users',
  user: 'users',
};
