import type { ITEM_TAGS } from '@atrium/proto-events/change-tags';
import type {
  ChatServerEvents,
  chatClientPayloads,
  LiveServerEvents,
  liveClientPayloads,
} from '@atrium/proto-events/realtime';
import type { Channel } from './kinds.ts';

/** Sets of resources, by the kind of id. */
export type IdSet =
  | 'users'
  | 'departments'
  | 'invitations'
  | 'sessions'
  | 'projects'
  | 'tasks'
  | 'comments'
  | 'meetings'
  | 'series'
  | 'rooms'
  | 'documents'
  | 'uploads'
  | 'conversations'
  | 'messages'
  | 'attachments';

/**
 * The channel of an endpoint's response, and the resources to request from it. Their id is the parameter `id` of the
 * path, or the parameter or field `field`.
 */
export type EndpointRow = { channel: Channel; idSet?: IdSet; field?: string };

const via = (channel: Channel, idSet?: IdSet, field?: string): EndpointRow => ({
  channel,
  ...(idSet && { idSet }),
  ...(field && { field }),
});
/** Marks endpoints that cannot reveal other users' data, because they act only for the caller or need a secret. */
const OWN = 'own';

/** Every endpoint. Users try those that change data on every resource that they cannot see. */
export const CALLS: Readonly<Record<string, EndpointRow | typeof OWN>> = {
  'GET /auth/setup': via('item'),
  'POST /auth/login': OWN,
  'POST /auth/register': OWN,
  'POST /auth/accept-invite': OWN,
  'POST /auth/refresh': OWN,
  'POST /auth/forgot-password': OWN,
  'POST /auth/reset-password': OWN,
  'POST /auth/change-password': OWN,
  'POST /auth/logout': OWN,
  'POST /auth/sign-out-everywhere': OWN,
  'GET /auth/sessions': via('list'),
  'DELETE /auth/sessions/:id': via('item', 'sessions'),
  'POST /auth/invite': OWN,
  'POST /auth/invites/check': OWN,
  'GET /auth/invites': via('list'),
  'POST /auth/invites/:id/resend': via('item', 'invitations'),
  'DELETE /auth/invites/:id': via('item', 'invitations'),
  'DELETE /users/:id/sessions': via('item', 'users'),
  'POST /users/:id/reset-link': via('item', 'users'),
  'GET /users/profile': via('item'),
  'PATCH /users/profile': OWN,
  'GET /users/profile/preferences': via('item'),
  'PATCH /users/profile/preferences': OWN,
  'GET /users': via('list'),
  'GET /users/project-managers': via('list'),
  'GET /users/stats/overview': via('list'),
  'GET /users/:id': via('item', 'users'),
  'PATCH /users/:id': via('item', 'users'),
  'DELETE /users/:id': via('item', 'users'),
  'GET /departments': via('list'),
  'GET /departments/stats': via('list'),
  'GET /departments/:id': via('item', 'departments'),
  'POST /departments': OWN,
  'PATCH /departments/:id': via('item', 'departments'),
  'DELETE /departments/:id': via('item', 'departments'),
  'GET /activity': via('list'),
  'GET /notifications': via('notification'),
  'POST /notifications/read': via('notification'),
  'GET /health': via('item'),
  'POST /client-errors': OWN,
  'GET /projects': via('list'),
  'GET /projects/stats': via('list'),
  'GET /projects/my-projects': via('list'),
  'GET /projects/:id': via('item', 'projects'),
  'POST /projects': OWN,
  'PATCH /projects/:id': via('item', 'projects'),
  'DELETE /projects/:id': via('item', 'projects'),
  'POST /projects/:id/team-members': via('item', 'projects'),
  'DELETE /projects/:id/team-members': via('item', 'projects'),
  'DELETE /projects/:id/team-members/:userId': via('item', 'projects'),
  'GET /tasks': via('list'),
  'GET /tasks/stats': via('list'),
  'GET /tasks/my-tasks': via('list'),
  'GET /tasks/project/:id': via('list', 'projects'),
  'GET /tasks/:id': via('item', 'tasks'),
  'POST /tasks': OWN,
  'PATCH /tasks/:id': via('item', 'tasks'),
  'PATCH /tasks/:id/progress': via('item', 'tasks'),
  'DELETE /tasks/:id': via('item', 'tasks'),
  'GET /tasks/:id/comments': via('list', 'tasks'),
  'POST /tasks/:id/comments': via('item', 'tasks'),
  'DELETE /tasks/:id/comments/:commentId': via('item', 'comments', 'commentId'),
  'GET /meetings': via('list'),
  'GET /meetings/upcoming': via('list'),
  'GET /meetings/project/:id': via('list', 'projects'),
  'GET /meetings/calendar': via('list'),
  'GET /meetings/stats': via('list'),
  'POST /meetings/busy': via('list'),
  'POST /meetings/free-times': via('list'),
  'GET /meetings/rooms': via('list'),
  'POST /meetings/rooms': OWN,
  'PATCH /meetings/rooms/:id': via('item', 'rooms'),
  'DELETE /meetings/rooms/:id': via('item', 'rooms'),
  'GET /meetings/:id': via('item', 'meetings'),
  'GET /meetings/:id/calendar.ics': via('item', 'meetings'),
  'GET /meetings/feed': via('item'),
  'POST /meetings/feed': OWN,
  'DELETE /meetings/feed': OWN,
  // Every user reads their own feed; see `feeds.ts`.
  'GET /meetings/feed/:token.ics': OWN,
  'POST /meetings': OWN,
  'PATCH /meetings/:id': via('item', 'meetings'),
  'DELETE /meetings/:id': via('item', 'meetings'),
  'POST /meetings/:id/respond': via('item', 'meetings'),
  'PUT /meetings/:id/notes': via('item', 'meetings'),
  'GET /meetings/:id/closing': via('item', 'meetings'),
  'POST /meetings/:id/close': via('item', 'meetings'),
  'DELETE /meetings/:id/close': via('item', 'meetings'),
  'PATCH /meetings/:id/decisions/:decisionId': via('item', 'meetings'),
  'GET /meetings/decisions': via('list'),
  'GET /documents': via('list'),
  'GET /documents/stats': via('list'),
  'GET /documents/limits': via('list'),
  'GET /documents/recent': via('list'),
  'GET /documents/project/:id': via('list', 'projects'),
  'GET /documents/:id': via('item', 'documents'),
  'GET /documents/:id/preview': via('item', 'documents'),
  'POST /documents/upload': OWN,
  'POST /documents/uploads': via('item', 'documents', 'document'),
  'GET /documents/uploads': via('list'),
  'GET /documents/uploads/:id': via('item', 'uploads'),
  'PUT /documents/uploads/:id/parts/:number': via('item', 'uploads'),
  'POST /documents/uploads/:id/complete': via('item', 'uploads'),
  'DELETE /documents/uploads/:id': via('item', 'uploads'),
  'PATCH /documents/:id': via('item', 'documents'),
  'DELETE /documents/:id': via('item', 'documents'),
  'POST /documents/:id/share': via('item', 'documents'),
  'DELETE /documents/:id/share': via('item', 'documents'),
  'GET /documents/:id/shares': via('item', 'documents'),
  'GET /documents/:id/access': via('item', 'documents'),
  'POST /documents/:id/access': via('item', 'documents'),
  'GET /documents/:id/downloads': via('item', 'documents'),
  'GET /documents/trash': via('list'),
  'POST /documents/trash/:id/restore': via('item', 'documents'),
  'DELETE /documents/trash/:id': via('item', 'documents'),
  'POST /documents/:id/versions': via('item', 'documents'),
  'GET /documents/:id/versions': via('item', 'documents'),
  'GET /documents/:id/versions/:number': via('item', 'documents'),
  'POST /documents/:id/versions/:number/restore': via('item', 'documents'),
  // Without a position; see `listen.ts`.
  'GET /changes': via('replay'),
  'GET /chat/conversations': via('list'),
  'POST /chat/conversations': OWN,
  'GET /chat/channels': via('list'),
  'POST /chat/channels/:id/join': via('item', 'conversations'),
  'POST /chat/conversations/:id/archive': via('item', 'conversations'),
  'POST /chat/conversations/:id/restore': via('item', 'conversations'),
  'PATCH /chat/conversations/:id/preferences': via('item', 'conversations'),
  'GET /chat/conversations/:id': via('item', 'conversations'),
  'GET /chat/conversations/:id/unread-count': via('item', 'conversations'),
  'POST /chat/conversations/:id/read': via('item', 'conversations'),
  'POST /chat/conversations/:id/leave': via('item', 'conversations'),
  'GET /chat/unread': via('list'),
  'PATCH /chat/conversations/:id': via('item', 'conversations'),
  'DELETE /chat/conversations/:id': via('item', 'conversations'),
  'POST /chat/conversations/:id/participants': via('item', 'conversations'),
  'DELETE /chat/conversations/:id/participants': via('item', 'conversations'),
  'DELETE /chat/conversations/:id/participants/:userId': via('item', 'conversations'),
  'GET /chat/messages': via('list', 'conversations', 'conversation'),
  'POST /chat/messages': via('item', 'conversations', 'conversation'),
  'GET /chat/messages/:id': via('item', 'messages'),
  'PATCH /chat/messages/:id': via('item', 'messages'),
  'DELETE /chat/messages/:id': via('item', 'messages'),
  'POST /chat/messages/:id/read': via('item', 'messages'),
  'PUT /chat/messages/:id/reactions/:emoji': via('item', 'messages'),
  'DELETE /chat/messages/:id/reactions/:emoji': via('item', 'messages'),
  'GET /chat/messages/:id/thread': via('list', 'messages'),
  'POST /chat/messages/:id/thread/read': via('item', 'messages'),
  'PUT /chat/messages/:id/follow': via('item', 'messages'),
  'DELETE /chat/messages/:id/follow': via('item', 'messages'),
  'GET /chat/threads': via('list'),
  'PUT /chat/messages/:id/pin': via('item', 'messages'),
  'DELETE /chat/messages/:id/pin': via('item', 'messages'),
  'GET /chat/conversations/:id/pins': via('list', 'conversations'),
  'PUT /chat/messages/:id/saved': via('item', 'messages'),
  'DELETE /chat/messages/:id/saved': via('item', 'messages'),
  'GET /chat/saved': via('list'),
  // Everyone sees the emoji of the workspace, and administrators change them.
  'GET /chat/emoji': via('list'),
  'GET /chat/emoji/:id': OWN,
  'POST /chat/emoji': OWN,
  'DELETE /chat/emoji/:id': OWN,
  'GET /chat/attachments/limits': via('list'),
  'GET /chat/attachments/:id': via('item', 'attachments'),
  'GET /chat/attachments/:id/preview': via('item', 'attachments'),
  'POST /chat/attachments/:id/save': via('item', 'attachments'),
  'GET /chat/conversations/:id/attachments': via('list', 'conversations'),
  'GET /chat/conversations/:id/links': via('list', 'conversations'),
};

/** The values to try for each query parameter. */
export const PARAMETERS: Readonly<Record<string, readonly string[] | IdSet>> = {
  page: ['2'],
  // Every request has the maximum limit.
  limit: [],
  timeFilter: ['upcoming', 'past'],
  orNext: ['true'],
  whose: ['all'],
  series: ['once'],
  seriesId: 'series',
  from: ['2000-01-01T00:00:00Z'],
  to: ['2100-01-01T00:00:00Z'],
  sortBy: ['name', 'size'],
  sortOrder: ['asc'],
  sort: ['priority'],
  status: [],
  priority: [],
  role: [],
  department: 'departments',
  project: 'projects',
  projectId: 'projects',
  userId: 'users',
  assignedTo: 'users',
  user: 'users',
  link: ['false'],
  people: ['1'],
  timezone: ['Asia/Kathmandu'],
  filter: ['unread'],
  archived: ['true'],
  before: ['1000'],
  after: ['0'],
  changedAfter: ['0'],
  kind: ['text', 'security'],
  // All tags are marks, which the search covers.
  tag: [],
  uploadedBy: 'users',
  version: ['1'],
  visibility: ['private', 'team', 'public'],
  since: [],
  tags: [],
  wait: ['1'],
};

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
  user: 'users',
};
