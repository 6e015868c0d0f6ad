import type {
  ChatServerEvents,
  chatClientPayloads,
  LiveServerEvents,
  liveClientPayloads,
} from '@atrium/proto-events/realtime';
import type { ITEM_TOPICS } from '@atrium/proto-events/topics';
import type { Channel } from './kinds.ts';

/** Things by what their ids go into. */
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

/** Where what a call answers belongs, and of which things it is asked: in `field`, or in the path. */
export type Asked = { channel: Channel; of?: IdSet; field?: string };

const by = (channel: Channel, of?: IdSet, field?: string): Asked => ({
  channel,
  ...(of && { of }),
  ...(field && { field }),
});
/** Makes something of the caller's own, or needs a secret that nobody else has: nothing to ask of what others have. */
const OWN = 'own';

/** Every call. What changes something is tried by all who may not know of it, on everything. */
export const CALLS: Readonly<Record<string, Asked | typeof OWN>> = {
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
  // Read with their own by everybody, see `feeds.ts`.
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
  'GET /documents/bin': by('list'),
  'POST /documents/bin/:id/restore': by('call', 'documents'),
  'DELETE /documents/bin/:id': by('call', 'documents'),
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

/** What is asked for beside what must be, by the name of the parameter: each of these values once. */
export const PARAMETERS: Readonly<Record<string, readonly string[] | IdSet>> = {
  page: ['2'],
  // Always as many as there may be.
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

/** What a socket of chat may say: of a conversation, or something of its own. */
export const SAID: Record<keyof typeof chatClientPayloads, 'of conversations' | 'of people' | typeof OWN> = {
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

/** What one of `/live` may say. */
export const LIVE_SAID: Record<keyof typeof liveClientPayloads, 'asks' | typeof OWN> = {
  'auth:refresh': OWN,
  subscribe: 'asks',
};

/** Where what sockets hear belongs; a new event is no word of this type until it has a place here. */
export const HEARD: Record<keyof ChatServerEvents | keyof LiveServerEvents, Channel> = {
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

/** Of which things a topic of one thing is. */
export const TOPICS_OF: Record<(typeof ITEM_TOPICS)[number], IdSet> = {
  project: 'projects',
  task: 'tasks',
  person: 'users',
};
