import type { Change } from '@atrium/proto-events/realtime';
import { SIGNED_IN, type ActorName } from './actors.ts';

/** Every channel through which data reaches a user. */
export const CHANNELS = [
  'call',
  'list',
  'search',
  '/chat',
  '/live',
  'watch',
  'resumed',
  'presence',
  'notice',
  'mail',
  'calendar',
  'link',
] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * The users who can see a kind of resource, and the channels that must show it; all others must not. `manages` lists users who know its id
 * without seeing its content. `isGone` marks deleted resources, of which only the former existence is known.
 */
export type Kind = {
  sees: readonly ActorName[];
  manages?: readonly ActorName[];
  shownIn: readonly Channel[];
  isGone?: boolean;
};

const kind = (sees: readonly ActorName[], shownIn: string, manages: readonly ActorName[] = []): Kind => ({
  sees,
  manages,
  shownIn: shownIn.split(', ').filter((channel) => channel !== '') as Channel[],
});

const ALL_USERS: readonly ActorName[] = SIGNED_IN;
/** The id and a placeholder of a deleted resource stay visible to those who saw it. */
const gone = (manages: readonly ActorName[]): Kind => ({ ...kind([], '', manages), isGone: true });
const OF_PROJECT: readonly ActorName[] = ['admin', 'manager', 'member'];
const OF_ATTACHMENT = 'call, list, /chat, link';
const OF_DOCUMENT = 'call, list, search, link, /live, watch, resumed';

/** The visibility rules of every kind of resource. */
export const KINDS = {
  user: kind(ALL_USERS, 'call, list, search, /live, watch, resumed, presence, mail, calendar'),
  // Team Chat shows departments next to names.
  // Not in /chat events, which contain only names and pictures of participants.
  department: kind(ALL_USERS, 'call, list, search, /live, watch, resumed'),
  invitation: kind(['admin'], 'list, /live, watch, resumed'),
  'link of an invitation': kind(['invited'], 'mail', ['admin']),
  'link of a reset': kind([], '', ['admin']),
  // Administrators see sessions in the security log.
  session: kind(['member', 'admin'], 'list, /live, watch, resumed'),
  'security record': kind(['admin'], 'list'),
  project: kind(ALL_USERS, 'call, list, search, /chat, /live, watch, resumed, notice, mail'),
  task: kind(ALL_USERS, 'call, list, search, /live, watch, resumed, notice, mail'),
  comment: kind(ALL_USERS, 'call, list, mail'),
  'deleted task': gone(ALL_USERS),
  meeting: kind(OF_PROJECT, 'call, list, /live, watch, resumed, notice, mail, calendar'),
  'date of a series': kind(OF_PROJECT, 'call, list, /live, watch, resumed, notice'),
  'date with a guest': kind([...OF_PROJECT, 'guest'], 'call, list, /live, watch, resumed, notice, mail, calendar'),
  room: kind(ALL_USERS, 'list, /live, watch, resumed'),
  // Invited users are notified of a cancellation.
  'cancelled meeting': { ...kind(['member'], 'notice', OF_PROJECT), isGone: true },
  'document private': kind(['admin', 'uploader'], OF_DOCUMENT),
  'document shared': kind(['admin', 'uploader', 'sharedWith'], `${OF_DOCUMENT}, notice`),
  'document of a department': kind(['admin', 'uploader', 'partner'], `${OF_DOCUMENT}, notice`),
  'document of a project’s people': kind([...OF_PROJECT, 'uploader'], `${OF_DOCUMENT}, notice`),
  'document team': kind(OF_PROJECT, OF_DOCUMENT),
  'document team, of no project': kind(ALL_USERS, OF_DOCUMENT),
  'document public': kind(ALL_USERS, OF_DOCUMENT),
  // In the trash of users who can restore it.
  'deleted document': { ...kind(['admin', 'uploader'], 'list', ALL_USERS), isGone: true },
  // Until it becomes a document.
  'unfinished upload': kind(['uploader'], 'call, list'),
  'conversation direct': kind(['member', 'partner'], 'call, list, /chat, resumed'),
  'conversation group': kind(['manager', 'member'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  'conversation project': kind(['manager', 'member', 'guest'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  'message direct': kind(['member', 'partner'], 'call, list, /chat, /live, watch, resumed'),
  'message group': kind(['manager', 'member'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  'message project': kind(['manager', 'member', 'guest'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  // Without a link in broadcasts, and with a personal link in every response.
  'attachment direct': kind(['member', 'partner'], OF_ATTACHMENT),
  'attachment group': kind(['manager', 'member'], OF_ATTACHMENT),
  'attachment project': kind(['manager', 'member', 'guest'], OF_ATTACHMENT),
  'deleted attachment': gone(['admin', 'manager', 'member']),
  'deleted message': gone(['admin', 'manager', 'member']),
  notification: kind(['member'], 'notice'),
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
export const ofKind = (name: KindName): Kind => KINDS[name];

/** Resources of change events, with the kinds they can refer to. */
export const RESOURCES: Record<Change['resource'], readonly KindName[]> = {
  user: ['user'],
  department: ['department'],
  project: ['project'],
  task: ['task', 'comment', 'deleted task'],
  meeting: ['meeting', 'date of a series', 'date with a guest', 'cancelled meeting'],
  room: ['room'],
  document: [
    'document private',
    'document shared',
    'document of a department',
    'document of a project’s people',
    'document team',
    'document public',
    'deleted document',
  ],
  conversation: ['conversation direct', 'conversation group', 'conversation project'],
  message: ['message direct', 'message group', 'message project', 'deleted message'],
  notification: ['notification'],
  invitation: ['invitation', 'link of an invitation'],
  session: ['session'],
};

/** The text in every field of a resource: written before (`a`) or after (`b`) users were removed. */
export const markOf = (kindName: KindName, when: 'a' | 'b'): string =>
  `${MARK}${String(KIND_NAMES.indexOf(kindName)).padStart(2, '0')}${when}`;

/** The prefix of all marks, so that one search finds them. */
export const MARK = 'zqleak';
