import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Project } from '@atrium/proto-events/http/projects';
import type { User } from '@atrium/proto-events/people';
import { matchesSearch } from '@atrium/proto-events/text/search';
import { ChartNoAxesColumn, Hash, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { conversationName, otherParticipant } from '#entities/conversation/conversation.ts';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { useProjects } from '#entities/project/use-projects.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { useUsers } from '#entities/user/use-users.ts';
import { canMessage, countPeople, directPath, displayName, roleAndDepartment } from '#entities/user/user-labels.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useCurrentUser } from '#lib/session/session.ts';

const MAX_RESULTS_PER_GROUP = 5;

export function useSearch(query: string, pages: readonly Page[]) {
  const currentUserId = useCurrentUser()._id;
  const settledQuery = useDebounced(query.trim(), 150);
  const users = useUsers(settledQuery || null, MAX_RESULTS_PER_GROUP);
  const projects = useProjects(settledQuery ? { search: settledQuery, limit: MAX_RESULTS_PER_GROUP } : null);
  const { conversations = [] } = useConversations(settledQuery !== '');
  const fits = (name: string) => matchesSearch(name, query);
  const isLoading = settledQuery !== query.trim() || users.isLoading || projects.isLoading;
  // Shows earlier results that still match until the response arrives, so that Enter never opens a wrong one.
  function filterMatching<Item>(page: { data: Item[] } | undefined, getText: (item: Item) => string): Item[] {
    return settledQuery ? (page?.data ?? []).filter((item) => !isLoading || fits(getText(item))) : [];
  }
  const foundUsers = filterMatching(users.data, (user) => `${displayName(user)} ${user.email}`);
  const foundProjects = filterMatching(projects.data, ({ name, description }) => `${name} ${description}`);
  const groups: Group[] = [
    { name: 'Pages', results: pages.map(pageResult).filter(({ name }) => fits(name)) },
    { name: 'People', results: foundUsers.map((user) => userResult(user, currentUserId)) },
    { name: 'Projects', results: foundProjects.map(projectResult) },
    {
      name: 'Conversations',
      results: conversations
        .map((conversation) => conversationResult(conversation, currentUserId))
        .filter(({ name }) => fits(name))
        .slice(0, MAX_RESULTS_PER_GROUP),
    },
  ];
  return {
    groups: groups.filter(({ results }) => results.length > 0),
    isLoading,
    hasFailed: Boolean(settledQuery && (users.error || projects.error)),
  };
}

export type Page = { label: string; to: string; icon: LucideIcon };

/** `id` is also the DOM id of the row. */
export type Result = { id: string; name: string; detail?: string | undefined; to: string; icon: ReactNode };
export type Group = { name: string; results: readonly Result[] };

function pageResult({ label, to, icon: Icon }: Page): Result {
  return { id: `result-page-${to.slice(1)}`, name: label, to, icon: <Icon aria-hidden="true" /> };
}

export function userResult(user: User, currentUserId: string): Result {
  const name = displayName(user);
  return {
    id: `result-${user._id}`,
    name,
    detail: roleAndDepartment(user),
    to: canMessage(user, currentUserId) ? directPath(user._id) : `/team?${new URLSearchParams({ search: name })}`,
    icon: <Avatar user={user} size={24} />,
  };
}

function projectResult({ _id, name, projectManager }: Project): Result {
  return {
    id: `result-${_id}`,
    name,
    detail: displayName(projectManager),
    to: `/progress/${_id}`,
    icon: <ChartNoAxesColumn aria-hidden="true" />,
  };
}

function conversationResult(conversation: Conversation, currentUserId: string): Result {
  const { _id, type } = conversation;
  const other = otherParticipant(conversation, currentUserId);
  const isDirect = type === 'direct' && other !== undefined;
  return {
    id: `result-${_id}`,
    name: conversationName(conversation, currentUserId),
    detail: isDirect ? 'Direct message' : countPeople(conversation.participantCount, 'member'),
    to: `/chat?c=${_id}`,
    icon: isDirect ? <Avatar user={other} size={24} /> : <Hash aria-hidden="true" />,
  };
}
