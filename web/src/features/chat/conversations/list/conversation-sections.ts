import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { createMatcher } from '@atrium/proto-events/text/search';
import { conversationName } from '#entities/conversation/conversation.ts';

export type Section = { id: string; title: string; conversations: Conversation[] };

export type ListFilter = { text: string; isUnreadOnly: boolean };

export const NO_FILTER: ListFilter = { text: '', isUnreadOnly: false };

export const isFiltered = ({ text, isUnreadOnly }: ListFilter): boolean => text.trim() !== '' || isUnreadOnly;

export type ListState = { currentUserId: string; selected: string | null; unreadIds: ReadonlySet<string> };

/** A search by name includes hidden conversations. The open one stays until the name is searched. */
export function filterConversations(
  conversations: readonly Conversation[],
  { text, isUnreadOnly }: ListFilter,
  { currentUserId, selected, unreadIds }: ListState,
): Conversation[] {
  const matches = createMatcher(text);
  const isSearch = text.trim() !== '';
  return conversations.filter((conversation) => {
    const { _id, preferences } = conversation;
    const isUnread = unreadIds.has(_id);
    if (_id === selected && !isSearch) return true;
    if (isUnreadOnly && (!isUnread || preferences.notify === 'none')) return false;
    return isSearch ? matches(conversationName(conversation, currentUserId)) : !preferences.hidden || isUnread;
  });
}

/** The user's own sections are sorted by name; conversations keep their order. */
export function toSections(conversations: readonly Conversation[]): Section[] {
  const isDirect = ({ type }: Conversation) => type === 'direct';
  const rest = conversations.filter(({ preferences }) => !preferences.starred && preferences.section === null);
  return [
    { id: 'starred', title: 'Starred', conversations: conversations.filter(({ preferences }) => preferences.starred) },
    ...ownSections(conversations),
    { id: 'channels', title: 'Channels', conversations: rest.filter((conversation) => !isDirect(conversation)) },
    { id: 'direct', title: 'Direct messages', conversations: rest.filter(isDirect) },
  ].filter((section) => section.conversations.length > 0);
}

function ownSections(conversations: readonly Conversation[]): Section[] {
  const unstarred = conversations.filter(({ preferences }) => !preferences.starred);
  return sectionNames(unstarred).map((title) => ({
    id: `own:${title}`,
    title,
    conversations: unstarred.filter(({ preferences }) => preferences.section === title),
  }));
}

export function sectionNames(conversations: readonly Conversation[]): string[] {
  const names = new Set(conversations.flatMap(({ preferences: { section } }) => section ?? []));
  return [...names].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

/** A collapsed section still shows what is unread, and the open conversation. */
export function withoutCollapsed(
  section: Section,
  { selected, unreadIds }: Pick<ListState, 'selected' | 'unreadIds'>,
): Section {
  const conversations = section.conversations.filter(
    ({ _id, preferences }) => _id === selected || (unreadIds.has(_id) && preferences.notify !== 'none'),
  );
  return { ...section, conversations };
}
