import type { Change } from '@atrium/proto-events/realtime';
import { type ActorName, SIGNED_IN } from './actors.ts';

/**
 * Every channel through which data reaches a user: responses (`item`, `list`, `search`, and `everything` of all services), sockets, and what they replay
 * after a reconnect or to API clients, notifications, emails, calendars, and download links. Without a subscription,
 * `/live` has only private changes.
 */
export const CHANNELS = [
  'item',
  'list',
  'search',
  'everything',
  '/chat',
  '/live',
  'subscription',
  'replay',
  'presence',
  'notification',
  'email',
  'calendar',
  'link',
] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * The users who can see a kind of resource, and the channels that must show it to them; no other channel may show it.
 * Users in `manages` may know its id but not its content. The id of a resource with `isDeleted` may still appear, but
 * not its content.
 */
export type Kind = {
  sees: readonly ActorName[];
  manages?: readonly ActorName[];
  shownIn: readonly Channel[];
  isDeleted?: boolean;
};

const kind = (sees: readonly ActorName[], shownIn: string, manages: readonly ActorName[] = []): Kind => ({
  sees,
  manages,
  shownIn: shownIn.split(', ').filter((channel) => channel !== '') as Channel[],
});

const ALL_USERS: readonly ActorName[] = SIGNED_IN;
/** A deleted resource, whose id and placeholder stay visible to the users who could see it. */
const deleted = (manages: readonly ActorName[]): Kind => ({ ...kind([], '', manages), isDeleted: true });
const PROJECT_USERS: readonly ActorName[] = ['admin', 'manager', 'member'];
const ATTACHMENT_CHANNELS = 'item, list, everything, /chat, link';
const PUBLIC_DOCUMENT_CHANNELS = 'item, list, search, everything, link, subscription, replay';
const DOCUMENT_CHANNELS = `${PUBLIC_DOCUMENT_CHANNELS}, /live`;

/** The visibility of every kind of resource. */
export const KINDS = {
  user: kind(ALL_USERS, 'item, list, search, everything, subscription, replay, presence, email, calendar'),
  // Participants of a conversation are shown with their departments.
  department: kind(ALL_USERS, 'item, list, search, /chat, subscription, replay'),
  invitation: kind(['admin'], 'list, /live, subscription, replay'),
  'invitation link': kind(['invited'], 'email', ['admin']),
  'password reset link': kind([], '', ['admin']),
  // Administrators see sessions in the security log.
  session: kind(['member', 'admin'], 'list, /live, subscription, replay'),
  'security log entry': kind(['admin'], 'list'),
  project: kind(ALL_USERS, 'item, list, search, everything, /chat, subscription, replay, notification, email'),
  // Private changes of notifications name the task that they are about.
  task: kind(ALL_USERS, 'item, list, search, everything, /live, subscription, replay, notification, email'),
  comment: kind(ALL_USERS, 'item, list, search, everything, email'),
  'deleted task': deleted(ALL_USERS),
  meeting: kind(
    PROJECT_USERS,
    'item, list, search, everything, /live, subscription, replay, notification, email, calendar',
  ),
  occurrence: kind(PROJECT_USERS, 'item, list, search, everything, /live, subscription, replay, notification'),
  'occurrence with a guest': kind(
    [...PROJECT_USERS, 'guest'],
    'item, list, search, everything, /live, subscription, replay, notification, email, calendar',
  ),
  room: kind(ALL_USERS, 'list, subscription, replay'),
  // Invited users are notified of a cancellation.
  'canceled meeting': { ...kind(['member'], 'notification', PROJECT_USERS), isDeleted: true },
  'document private': kind(['admin', 'uploader'], DOCUMENT_CHANNELS),
  'document shared': kind(['admin', 'uploader', 'sharedWith'], `${DOCUMENT_CHANNELS}, notification`),
  'document of a department': kind(['admin', 'uploader', 'partner'], `${DOCUMENT_CHANNELS}, notification`),
  'document of project members': kind([...PROJECT_USERS, 'uploader'], `${DOCUMENT_CHANNELS}, notification`),
  'document team': kind(PROJECT_USERS, DOCUMENT_CHANNELS),
  'document team without project': kind(ALL_USERS, PUBLIC_DOCUMENT_CHANNELS),
  'document public': kind(ALL_USERS, PUBLIC_DOCUMENT_CHANNELS),
  // Listed in the trash of users who can restore it.
  'deleted document': { ...kind(['admin', 'uploader'], 'list', ALL_USERS), isDeleted: true },
  // Visible to others only once it has become a document.
  'unfinished upload': kind(['uploader'], 'item, list'),
  // Private changes of notifications name the conversation that they are about.
  'conversation direct': kind(
    ['member', 'partner'],
    'item, list, everything, /chat, /live, subscription, replay, notification',
  ),
  'conversation group': kind(['manager', 'member'], 'item, list, everything, /chat, /live, subscription, replay', [
    'admin',
  ]),
  'conversation project': kind(
    ['manager', 'member', 'guest'],
    'item, list, everything, /chat, /live, subscription, replay',
    ['admin'],
  ),
  'conversation of a department': kind(['manager', 'partner'], 'item, list, /chat, /live, subscription, replay', [
    'admin',
  ]),
  'public channel': kind(ALL_USERS, 'item, list, search, /chat, replay'),
  'message direct': kind(['member', 'partner'], 'item, list, everything, /chat, /live, subscription, replay'),
  'message group': kind(['manager', 'member'], 'item, list, everything, /chat, /live, subscription, replay', ['admin']),
  'message project': kind(
    ['manager', 'member', 'guest'],
    'item, list, everything, /chat, /live, subscription, replay',
    ['admin'],
  ),
  'reply direct': kind(['member', 'partner'], 'item, list, everything, /chat, /live, subscription, replay'),
  'reply group': kind(['manager', 'member'], 'item, list, everything, /chat, /live, subscription, replay', ['admin']),
  'reply project': kind(['manager', 'member', 'guest'], 'item, list, everything, /chat, /live, subscription, replay', [
    'admin',
  ]),
  // Broadcasts contain no download link, and every response contains a personal one.
  'attachment direct': kind(['member', 'partner'], ATTACHMENT_CHANNELS),
  'attachment group': kind(['manager', 'member'], ATTACHMENT_CHANNELS),
  'attachment project': kind(['manager', 'member', 'guest'], ATTACHMENT_CHANNELS),
  'deleted attachment': deleted(['admin', 'manager', 'member']),
  'deleted message': deleted(['admin', 'manager', 'member']),
  notification: kind(['member'], 'notification'),
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
export const getKind = (name: KindName): Kind => KINDS[name];

/** The kinds that each resource of a change event can refer to. */
export const RESOURCES: Record<Change['resource'], readonly KindName[]> = {
  user: ['user'],
  department: ['department'],
  project: ['project'],
  task: ['task', 'comment', 'deleted task'],
  meeting: ['meeting', 'occurrence', 'occurrence with a guest', 'canceled meeting'],
  room: ['room'],
  document: [
    'document private',
    'document shared',
    'document of a department',
    'document of project members',
    'document team',
    'document public',
    'deleted document',
  ],
  conversation: ['conversation direct', 'conversation group', 'conversation project', 'conversation of a department'],
  channel: ['public channel'],
  message: ['message direct', 'message group', 'message project', 'deleted message'],
  reply: ['reply direct', 'reply group', 'reply project'],
  notification: ['notification'],
  invitation: ['invitation', 'invitation link'],
  session: ['session'],
  // Everyone sees them.
  emoji: [],
  'project-counts': [],
  'user-counts': [],
};

/** Returns the text in every field of a resource, written before (`a`) or after (`b`) users were removed. */
export const getMark = (kindName: KindName, when: 'a' | 'b'): string =>
  `${MARK}${String(KIND_NAMES.indexOf(kindName)).padStart(2, '0')}${when}`;

/** The prefix of all marks, so that one search finds them all. */
export const MARK = 'zqleak';
