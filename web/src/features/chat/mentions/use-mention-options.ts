import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import {
  MENTION_EVERYONE,
  MENTION_HERE,
  mentionOf,
  mentionOfConversation,
  mentionOfGroup,
} from '@atrium/proto-events/text/mentions';
import { matchesSearch, toSearchText } from '@atrium/proto-events/text/search';
import { useConversation, useConversations } from '#entities/conversation/use-conversations.ts';
import { useMentionGroups } from '#entities/conversation/use-participants.ts';
import { useUsers } from '#entities/user/use-users.ts';
import { countPeople, displayName, type NamedUser, roleAndDepartment } from '#entities/user/user-labels.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import type { Trigger } from './find-trigger.ts';
import type { MentionOption } from './mention-option.ts';
import { recordGroupSize } from './mentioned-people.ts';
import { useEmojiOptions } from './use-emoji-options.ts';

const MAX_PARTICIPANTS = 6;
const MAX_OTHERS = 5;
const MAX_CHANNELS = 8;
const MAX_GROUPS = 5;

/** Lists what completes a mention, participants first, then groups and other users, or an emoji. */
export function useMentionOptions({ sign, query }: Trigger, conversationId: string): MentionOption[] {
  const users = useUserOptions(sign === '@' ? query : null, conversationId);
  const channels = useChannelOptions(sign === '#' ? query : null);
  const emoji = useEmojiOptions(sign === ':' ? query : null);
  if (sign === ':') return emoji;
  return sign === '@' ? users : channels;
}

function useUserOptions(query: string | null, conversationId: string): MentionOption[] {
  const currentUserId = useCurrentUser()._id;
  const conversation = useConversation(query === null ? null : conversationId).data;
  const search = useDebounced(query);
  const found = useUsers(search || null, MAX_PARTICIPANTS + MAX_OTHERS).data?.data ?? [];
  const groups = useGroupOptions(conversation, search);
  if (query === null) return [];
  const participants = (conversation?.participants ?? []).filter(
    ({ deleted, status }) => !deleted && status !== 'inactive',
  );
  const ids = new Set([currentUserId, ...(conversation?.participants ?? []).map(({ _id }) => _id)]);
  const others = query === '' ? [] : found.filter(({ _id, invited }) => !ids.has(_id) && !invited);
  const isComplete = conversation && conversation.participants.length >= conversation.participantCount;
  return [
    ...rank(participants, query, displayName)
      .filter(({ _id }) => _id !== currentUserId)
      .slice(0, MAX_PARTICIPANTS)
      .map((user) => toOption(user)),
    ...(conversation ? everyoneOptions(conversation, query) : []),
    ...rank(groups, query, ({ label }) => label),
    ...rank(others, query, displayName)
      .slice(0, MAX_OTHERS)
      .map((user) => toOption(user, isComplete ? 'Not in this conversation' : roleAndDepartment(user))),
  ];
}

const toOption = (user: NamedUser, detail?: string): MentionOption => ({
  token: mentionOf(user._id),
  label: `@${displayName(user)}`,
  detail,
  user,
});

/** Departments and projects, once something is typed. */
function useGroupOptions(conversation: Conversation | undefined, search: string | null): MentionOption[] {
  const isOffered = conversation?.type !== 'direct' && conversation?.abilities.mentionEveryone && search;
  const { data } = useMentionGroups(isOffered ? conversation._id : null, search ?? '');
  return (data?.data ?? []).slice(0, MAX_GROUPS).map(({ type, _id: id, name, participantCount: count }) => {
    const token = mentionOfGroup({ type, id });
    if (conversation) recordGroupSize(conversation._id, token, { name, count });
    return {
      token,
      label: `@${name}`,
      detail: `${type === 'department' ? 'Department' : 'Project'} · ${countPeople(count, 'member')}`,
    };
  });
}

function everyoneOptions({ type, participantCount, abilities }: Conversation, query: string): MentionOption[] {
  if (type === 'direct' || !abilities.mentionEveryone) return [];
  const groups = [
    { token: MENTION_HERE, label: '@here', detail: 'Everyone in this conversation who is online' },
    { token: MENTION_EVERYONE, label: '@everyone', detail: countPeople(participantCount, 'member') },
  ];
  return groups.filter(({ label }) => label.startsWith(`@${query.toLowerCase()}`));
}

function useChannelOptions(query: string | null): MentionOption[] {
  const { conversations } = useConversations(query !== null);
  if (query === null) return [];
  const channels = (conversations ?? []).filter(({ type, title }) => type !== 'direct' && title);
  return rank(channels, query, ({ title }) => title ?? '')
    .slice(0, MAX_CHANNELS)
    .map(({ _id, title, purpose }) => ({ token: mentionOfConversation(_id), label: `#${title}`, detail: purpose }));
}

/** Filters by name, and puts those first of whose name a word starts with the query. */
function rank<Item>(items: readonly Item[], query: string, nameOf: (item: Item) => string): Item[] {
  const start = toSearchText(query);
  const startsWord = (item: Item) => Number(toSearchText(nameOf(item)).includes(start));
  return items.filter((item) => matchesSearch(nameOf(item), query)).sort((a, b) => startsWord(b) - startsWord(a));
}
