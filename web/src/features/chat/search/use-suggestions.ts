import type { UserSummary } from '@atrium/proto-events/people';
import { matchesSearch } from '@atrium/proto-events/text/search';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { useUsers } from '#entities/user/use-users.ts';
import { displayName, roleAndDepartment } from '#entities/user/user-labels.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { isoDateIn } from '#lib/time/iso-date.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';
import { listRecentSearches } from './recent-searches.ts';
import { lastToken } from './search-parts.ts';

export type Suggestion = {
  label: string;
  detail?: string | undefined;
  /** The text of the field if it is chosen. */
  text: string;
  /** Whether it is complete: choosing it starts the search. */
  isComplete: boolean;
  kind: 'recent' | 'operator' | 'date' | 'value' | 'channel' | 'user';
  user?: UserSummary;
};

const OPERATORS = [
  ['from:', 'Messages from someone'],
  ['in:', 'Messages in one conversation'],
  ['has:', 'Messages with a file, link, or reaction'],
  ['is:', 'Messages in threads, pinned, or saved'],
  ['before:', 'Messages before a date'],
  ['after:', 'Messages after a date'],
  ['on:', 'Messages on a date'],
] as const;

const VALUES: Record<string, readonly (readonly [value: string, detail: string])[]> = {
  has: [
    ['file', 'With a file'],
    ['link', 'With a link'],
    ['reaction', 'With a reaction'],
  ],
  is: [
    ['thread', 'In a thread'],
    ['pinned', 'Pinned'],
    ['saved', 'Saved by you'],
  ],
};

const MAX_USERS = 6;
const MAX_CONVERSATIONS = 8;

/** Suggests how to continue the text: recent searches, operators, and their values. */
export function useSuggestions(text: string): Suggestion[] {
  const { sign, token, start } = lastToken(text);
  const [, operator = '', typed = ''] = /^(from|in|has|is|before|after|on):(.*)$/iu.exec(token) ?? [];
  const kind = operator.toLowerCase();
  const value = typed.replace(/^["@#]+/u, '');
  const complete = (filter: string) => ({ text: `${text.slice(0, start)}${sign}${filter}`, isComplete: true });
  const users = useUserSuggestions(kind === 'from' ? value : null);
  const conversations = useConversationSuggestions(kind === 'in' ? value : null);
  const recent = useRecentSuggestions(text);
  if (kind === 'from') return users.map(({ id, ...suggestion }) => ({ ...suggestion, ...complete(`from:${id}`) }));
  if (kind === 'in') return conversations.map(({ id, ...suggestion }) => ({ ...suggestion, ...complete(`in:${id}`) }));
  if (kind === 'has' || kind === 'is')
    return (VALUES[kind] ?? [])
      .filter(([name]) => name.startsWith(value.toLowerCase()))
      .map(([name, detail]) => ({ kind: 'value', label: `${kind}:${name}`, detail, ...complete(`${kind}:${name}`) }));
  if (kind !== '')
    return listDates()
      .filter(({ date }) => date.startsWith(value))
      .map(({ label, date }) => ({ kind: 'date', label, detail: date, ...complete(`${kind}:${date}`) }));
  const operators = OPERATORS.filter(([name]) => text.trim() === '' || (token !== '' && name.startsWith(token)));
  return [
    ...recent,
    ...operators.map(([name, detail]) => ({
      kind: 'operator' as const,
      label: name,
      detail,
      text: `${text.slice(0, start)}${sign}${name}`,
      isComplete: false,
    })),
  ];
}

type Choice = Pick<Suggestion, 'label' | 'detail' | 'kind'> & { id: string; user?: UserSummary };

function useUserSuggestions(typed: string | null): Choice[] {
  const user = useCurrentUser();
  const search = useDebounced(typed);
  const { data } = useUsers(typed === null ? null : (search ?? ''), MAX_USERS + 1);
  if (typed === null) return [];
  const found = (data?.data ?? []).filter(({ _id, invited }) => _id !== user._id && !invited).slice(0, MAX_USERS);
  const me: Choice[] = matchesSearch(`me ${displayName(user)}`, typed)
    ? [{ kind: 'user', id: 'me', label: 'Me', detail: displayName(user) }]
    : [];
  return [
    ...me,
    ...found.map((other) => ({
      kind: 'user' as const,
      id: other._id,
      label: displayName(other),
      detail: roleAndDepartment(other),
      user: other,
    })),
  ];
}

function useConversationSuggestions(typed: string | null): Choice[] {
  const currentUserId = useCurrentUser()._id;
  const { conversations = [] } = useConversations(typed !== null);
  if (typed === null) return [];
  return conversations
    .map((conversation) => ({ conversation, name: conversationName(conversation, currentUserId) }))
    .filter(({ name }) => matchesSearch(name, typed))
    .slice(0, MAX_CONVERSATIONS)
    .map(({ conversation: { _id, type }, name }) => ({
      kind: 'channel',
      id: _id,
      label: name,
      detail: type === 'direct' ? 'Direct message' : undefined,
    }));
}

function useRecentSuggestions(text: string): Suggestion[] {
  const currentUserId = useCurrentUser()._id;
  if (text.trim() !== '') return [];
  return listRecentSearches(currentUserId).map((query) => ({
    kind: 'recent',
    label: query,
    text: query,
    isComplete: true,
  }));
}

const DAYS_AGO = [
  ['Today', 0],
  ['Yesterday', 1],
  ['A week ago', 7],
  ['30 days ago', 30],
  ['A year ago', 365],
] as const;

const DAY_MS = 86_400_000;

/** In the time zone of the device, like the dates of messages. */
const listDates = () =>
  DAYS_AGO.map(([label, days]) => ({
    label,
    date: isoDateIn(browserTimeZone(), new Date(Date.now() - days * DAY_MS)),
  }));
