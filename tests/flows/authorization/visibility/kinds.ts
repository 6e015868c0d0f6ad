import type { Change } from '@atrium/proto-events/realtime';
import { SIGNED_IN, type Who } from './actors.ts';

/** Every way by which something reaches a person. */
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
 * Who may learn of it, and in which channels they do: in these and in no others. `manages`: by its id alone, without reading what is in it;
 * or what was in it is gone, and only that it was there is known.
 */
export type Kind = { sees: readonly Who[]; manages?: readonly Who[]; shownIn: readonly Channel[]; isGone?: boolean };

const kind = (sees: readonly Who[], shownIn: string, manages: readonly Who[] = []): Kind => ({
  sees,
  manages,
  shownIn: shownIn.split(', ').filter((channel) => channel !== '') as Channel[],
});

const EVERYBODY: readonly Who[] = SIGNED_IN;
/** A place that is left of it, and its id, go on being known to those who saw it. */
const gone = (manages: readonly Who[]): Kind => ({ ...kind([], '', manages), isGone: true });
const OF_PROJECT: readonly Who[] = ['admin', 'manager', 'member'];
const OF_ATTACHMENT = 'call, list, /chat, link';
const OF_DOCUMENT = 'call, list, search, link, /live, watch, resumed';

/** Decisions, sections 2 to 7, for every kind of thing there is. */
export const KINDS = {
  user: kind(EVERYBODY, 'call, list, search, /live, watch, resumed, presence, mail, calendar'),
  // In Team Chat beside the names of its people.
  // Not by /chat: who takes part is told by name and picture there.
  department: kind(EVERYBODY, 'call, list, search, /live, watch, resumed'),
  invitation: kind(['admin'], 'list, /live, watch, resumed'),
  'link of an invitation': kind(['invited'], 'mail', ['admin']),
  'link of a reset': kind([], '', ['admin']),
  // Administrators read of it in the security log.
  session: kind(['member', 'admin'], 'list, /live, watch, resumed'),
  'security record': kind(['admin'], 'list'),
  project: kind(EVERYBODY, 'call, list, search, /chat, /live, watch, resumed, notice, mail'),
  task: kind(EVERYBODY, 'call, list, search, /live, watch, resumed, notice, mail'),
  comment: kind(EVERYBODY, 'call, list, mail'),
  'deleted task': gone(EVERYBODY),
  meeting: kind(OF_PROJECT, 'call, list, /live, watch, resumed, notice, mail, calendar'),
  'date of a series': kind(OF_PROJECT, 'call, list, /live, watch, resumed, notice'),
  'date with a guest': kind([...OF_PROJECT, 'guest'], 'call, list, /live, watch, resumed, notice, mail, calendar'),
  room: kind(EVERYBODY, 'list, /live, watch, resumed'),
  // Who was to come is told so.
  'cancelled meeting': { ...kind(['member'], 'notice', OF_PROJECT), isGone: true },
  'document private': kind(['admin', 'uploader'], OF_DOCUMENT),
  'document shared': kind(['admin', 'uploader', 'sharedWith'], `${OF_DOCUMENT}, notice`),
  'document of a department': kind(['admin', 'uploader', 'partner'], `${OF_DOCUMENT}, notice`),
  'document of a project’s people': kind([...OF_PROJECT, 'uploader'], `${OF_DOCUMENT}, notice`),
  'document team': kind(OF_PROJECT, OF_DOCUMENT),
  'document team, of no project': kind(EVERYBODY, OF_DOCUMENT),
  'document public': kind(EVERYBODY, OF_DOCUMENT),
  // In the bin of whoever may bring it back.
  'deleted document': { ...kind(['admin', 'uploader'], 'list', EVERYBODY), isGone: true },
  // Until it is a document.
  'unfinished upload': kind(['uploader'], 'call, list'),
  'conversation direct': kind(['member', 'partner'], 'call, list, /chat, resumed'),
  'conversation group': kind(['manager', 'member'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  'conversation project': kind(['manager', 'member', 'guest'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  'message direct': kind(['member', 'partner'], 'call, list, /chat, /live, watch, resumed'),
  'message group': kind(['manager', 'member'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  'message project': kind(['manager', 'member', 'guest'], 'call, list, /chat, /live, watch, resumed', ['admin']),
  // Without a link where all hear it, and with one of one's own in every answer.
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

/** What browsers are told of, by the kinds that are told so. */
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

/** What stands in every text field of a thing: in what was written before people were taken out (`a`), and after (`b`). */
export const markOf = (kindName: KindName, when: 'a' | 'b'): string =>
  `${MARK}${String(KIND_NAMES.indexOf(kindName)).padStart(2, '0')}${when}`;

/** What all marks begin with, by which one search finds them. */
export const MARK = 'zqleak';
