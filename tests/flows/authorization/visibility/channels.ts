import type { ITEM_TOPICS } from '@atrium/proto-events/live-updates/topics';
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

/** The channel of an endpoint's response, and the resources to request: by path, or by `field`. */
export type EndpointRow = { channel: Channel; idSet?: IdSet; field?: string };

const by = (channel: Channel, of?: IdSet, field?: string): EndpointRow => ({
  channel,
  ...(of && { idSet: of }),
  ...(field && { field }),
});
/** Creates something for the caller, or needs a secret: cannot reveal other users' data. */
const OWN = 'own';

/** Every endpoint. Those that change data are tried on every resource by all users who cannot see it. */
export const CALLS: Readonly<Record<string, EndpointRow | typeof OWN>> = {
  'GET /auth/setup': by('call'),
  'POST /auth/login': OWN,
  'POST /auth/register': OWN,
  'POST /auth/accept-invite': OWN,
  'POST /auth/refresh': OWN,
  'POST /auth/forgot-password': OWN,
  'POST /auth/reset-password': OWN,
  'POST /auth/change-password': OWN,
  'POST /auth/logout': OWN,
  'POST /auth/sign-out-everywhere': OWN,
  'GET /auth/sessions': by('list'),
  'DELETE /auth/sessions/:id': by('call', 'sessions'),
  'POST /auth/invite': OWN,
  'POST /auth/invites/check': OWN,
  'GET /auth/invites': by('list'),
  'POST /auth/invites/:id/resend': by('call', 'invitations'),
  'DELETE /auth/invites/:id': by('call', 'invitations'),
  'DELETE /users/:id/sessions': by('call', 'users'),
  'POST /users/:id/reset-link': by('call', 'users'),
  'GET /users/profile': by('call'),
  'PATCH /users/profile': OWN,
  'GET /users/profile/preferences': by('call'),
  'PATCH /users/profile/preferences': OWN,
  'GET /users': by('list'),
  'GET /users/project-managers': by('list'),
  'GET /users/stats/overview': by('list'),
  'GET /users/:id': by('call', 'users'),
  'PATCH /users/:id': by('call', 'users'),
  'DELETE /users/:id': by('call', 'users'),
  'GET /departments': by('list'),
  'GET /departments/stats': by('list'),
  'GET /departments/:id': by('call', 'departments'),
  'POST /departments': OWN,
  'PATCH /departments/:id': by('call', 'departments'),
  'DELETE /departments/:id': by('call', 'departments'),
  'GET /activity': by('list'),
  'GET /notifications': by('notice'),
  'POST /notifications/read': by('notice'),
  'GET /health': by('call'),
  'POST /client-errors': OWN,
  'GET /projects': by('list'),
  'GET /projects/stats': by('list'),
  'GET /projects/my-projects': by('list'),
  'GET /projects/:id': by('call', 'projects'),
  'POST /projects': OWN,
  'PATCH /projects/:id': by('call', 'projects'),
  'DELETE /projects/:id': by('call', 'projects'),
  'POST /projects/:id/team-members': by('call', 'projects'),
  'DELETE /projects/:id/team-members': by('call', 'projects'),
  'DELETE /projects/:id/team-members/:userId': by('call', 'projects'),
  'GET /tasks': by('list'),
  'GET /tasks/stats': by('list'),
  'GET /tasks/my-tasks': by('list'),
  'GET /tasks/project/:id': by('list', 'projects'),
  'GET /tasks/:id': by('call', 'tasks'),
  'POST /tasks': OWN,
  'PATCH /tasks/:id': by('call', 'tasks'),
  'PATCH /tasks/:id/progress': by('call', 'tasks'),
  'DELETE /tasks/:id': by('call', 'tasks'),
  'GET /tasks/:id/comments': by('list', 'tasks'),
  'POST /tasks/:id/comments': by('call', 'tasks'),
  'DELETE /tasks/:id/comments/:commentId': by('call', 'comments', 'commentId'),
  'GET /meetings': by('list'),
  'GET /meetings/upcoming': by('list'),
  'GET /meetings/project/:id': by('list', 'projects'),
  'GET /meetings/calendar': by('list'),
  'GET /meetings/stats': by('list'),
  'POST /meetings/busy': by('list'),
  'POST /meetings/free-times': by('list'),
  'GET /meetings/rooms': by('list'),
  'POST /meetings/rooms': OWN,
  'PATCH /meetings/rooms/:id': by('call', 'rooms'),
  'DELETE /meetings/rooms/:id': by('call', 'rooms'),
  'GET /meetings/:id': by('call', 'meetings'),
  'GET /meetings/:id/calendar.ics': by('call', 'meetings'),
  'GET /meetings/feed': by('call'),
  'POST /meetings/feed': OWN,
  'DELETE /meetings/feed': OWN,
  // Every user reads their own feed; see `feeds.ts`.
  'GET /meetings/feed/:token.ics': OWN,
  'POST /meetings': OWN,
  'PATCH /meetings/:id': by('call', 'meetings'),
  'DELETE /meetings/:id': by('call', 'meetings'),
  'POST /meetings/:id/respond': by('call', 'meetings'),
  'PUT /meetings/:id/notes': by('call', 'meetings'),
  'GET /meetings/:id/closing': by('call', 'meetings'),
  'POST /meetings/:id/close': by('call', 'meetings'),
  'DELETE /meetings/:id/close': by('call', 'meetings'),
  'PATCH /meetings/:id/decisions/:decisionId': by('call', 'meetings'),
  'GET /meetings/decisions': by('list'),
  'GET /documents': by('list'),
  'GET /documents/stats': by('list'),
  'GET /documents/limits': by('list'),
  'GET /documents/recent': by('list'),
  'GET /documents/project/:id': by('list', 'projects'),
  'GET /documents/:id': by('call', 'documents'),
  'GET /documents/:id/preview': by('call', 'documents'),
  'POST /documents/upload': OWN,
  'POST /documents/uploads': by('call', 'documents', 'document'),
  'GET /documents/uploads': by('list'),
  'GET /documents/uploads/:id': by('call', 'uploads'),
  'PUT /documents/uploads/:id/parts/:number': by('call', 'uploads'),
  'POST /documents/uploads/:id/complete': by('call', 'uploads'),
  'DELETE /documents/uploads/:id': by('call', 'uploads'),
  'PATCH /documents/:id': by('call', 'documents'),
  'DELETE /documents/:id': by('call', 'documents'),
  'POST /documents/:id/share': by('call', 'documents'),
  'DELETE /documents/:id/share': by('call', 'documents'),
  'GET /documents/:id/shares': by('call', 'documents'),
  'GET /documents/:id/access': by('call', 'documents'),
  'POST /documents/:id/access': by('call', 'documents'),
  'GET /documents/:id/downloads': by('call', 'documents'),
  'GET /documents/trash': by('list'),
  'POST /documents/trash/:id/restore': by('call', 'documents'),
  'DELETE /documents/trash/:id': by('call', 'documents'),
  'POST /documents/:id/versions': by('call', 'documents'),
  'GET /documents/:id/versions': by('call', 'documents'),
  'GET /documents/:id/versions/:number': by('call', 'documents'),
  'POST /documents/:id/versions/:number/restore': by('call', 'documents'),
  'GET /chat/conversations': by('list'),
  'POST /chat/conversations': OWN,
  'GET /chat/conversations/:id': by('call', 'conversations'),
  'GET /chat/conversations/:id/unread-count': by('call', 'conversations'),
  'POST /chat/conversations/:id/read': by('call', 'conversations'),
  'POST /chat/conversations/:id/leave': by('call', 'conversations'),
  'GET /chat/unread': by('list'),
  'PATCH /chat/conversations/:id': by('call', 'conversations'),
  'DELETE /chat/conversations/:id': by('call', 'conversations'),
  'POST /chat/conversations/:id/participants': by('call', 'conversations'),
  'DELETE /chat/conversations/:id/participants': by('call', 'conversations'),
  'DELETE /chat/conversations/:id/participants/:userId': by('call', 'conversations'),
  'GET /chat/messages': by('list', 'conversations', 'conversation'),
  'POST /chat/messages': by('call', 'conversations', 'conversation'),
  'PATCH /chat/messages/:id': by('call', 'messages'),
  'DELETE /chat/messages/:id': by('call', 'messages'),
  'POST /chat/messages/:id/read': by('call', 'messages'),
  'GET /chat/attachments/limits': by('list'),
  'GET /chat/attachments/:id': by('call', 'attachments'),
  'GET /chat/attachments/:id/preview': by('call', 'attachments'),
  'POST /chat/attachments/:id/save': by('call', 'attachments'),
  'GET /chat/conversations/:id/attachments': by('list', 'conversations'),
  'GET /chat/conversations/:id/links': by('list', 'conversations'),
};

/** Query parameters, each with the values to try. */
export const PARAMETERS: Readonly<Record<string, readonly string[] | IdSet>> = {
  page: ['2'],
  // Always the maximum.
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
  // Only marks exist as tags, and those are searched for.
  department: 'departments',
  project: 'projects',
  projectId: 'projects',
  userId: 'users',
  assignedTo: 'users',
  user: 'users',
  link: ['false'],
  people: ['1'],
  timezone: ['Asia/Kathmandu'],
  before: ['1000'],
  after: ['0'],
  changedAfter: ['0'],
  kind: ['text', 'security'],
  // Of which there are marks alone, and those are searched for.
  tag: [],
  uploadedBy: 'users',
  version: ['1'],
  visibility: ['private', 'team', 'public'],
};

/** Client events of chat sockets: about conversations, about users, or only about the caller. */
export const CHAT_CLIENT_EVENTS: Record<
  keyof typeof chatClientPayloads,
  'of conversations' | 'of people' | typeof OWN
> = {
  'auth:refresh': OWN,
  'message:send': 'of conversations',
  'message:read': 'of conversations',
  'typing:start': 'of conversations',
  'typing:stop': 'of conversations',
  'conversation:join': 'of conversations',
  'conversation:leave': 'of conversations',
  'conversation:create': OWN,
  'user:presence': OWN,
  'presence:subscribe': 'of people',
};

/** Client events of `/live`. */
export const LIVE_CLIENT_EVENTS: Record<keyof typeof liveClientPayloads, 'asks' | typeof OWN> = {
  'auth:refresh': OWN,
  subscribe: 'asks',
};

/** The channel of each server event; a new event must be added here. */
export const SERVER_EVENTS: Record<keyof ChatServerEvents | keyof LiveServerEvents, Channel> = {
  'message:new': '/chat',
  'message:updated': '/chat',
  'message:deleted': '/chat',
  'message:read': '/chat',
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

/** The resources of each topic of a single item. */
export const TOPICS_OF: Record<(typeof ITEM_TOPICS)[number], IdSet> = {
  project: 'projects',
  task: 'tasks',
  person: 'users',
};
