import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Project } from '@atrium/proto-events/http/projects';
import type { User } from '@atrium/proto-events/people';
import { ChartNoAxesColumn, Hash, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { conversationName, countParticipants, otherParticipant } from '#entities/conversation/conversation.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { canMessage, countPeople, directPath, displayName, roleAndDepartment } from '#entities/user/person.ts';

/** A screen in the navigation. */
export type Page = { label: string; to: string; icon: LucideIcon };

/** `id` is also the DOM id of the row. */
export type Result = { id: string; name: string; detail?: string | undefined; to: string; mark: ReactNode };
export type Group = { name: string; results: readonly Result[] };

export function pageResult({ label, to, icon: Icon }: Page): Result {
  return { id: `result-page-${to.slice(1)}`, name: label, to, mark: <Icon aria-hidden="true" /> };
}

/** Links to the direct conversation, or to the team list for people without one. */
export function personResult(person: User, me: string): Result {
  const name = displayName(person);
  return {
    id: `result-${person._id}`,
    name,
    detail: roleAndDepartment(person),
    to: canMessage(person, me) ? directPath(person._id) : `/team?${new URLSearchParams({ search: name })}`,
    mark: <Avatar person={person} size={24} />,
  };
}

export function projectResult({ _id, name, projectManager }: Project): Result {
  return {
    id: `result-${_id}`,
    name,
    detail: displayName(projectManager),
    to: `/progress/${_id}`,
    mark: <ChartNoAxesColumn aria-hidden="true" />,
  };
}

export function conversationResult(conversation: Conversation, me: string): Result {
  const { _id, type } = conversation;
  const other = otherParticipant(conversation, me);
  const isDirect = type === 'direct' && other !== undefined;
  return {
    id: `result-${_id}`,
    name: conversationName(conversation, me),
    detail: isDirect ? 'Direct message' : countPeople(countParticipants(conversation), 'participant'),
    to: `/chat?c=${_id}`,
    mark: isDirect ? <Avatar person={other} size={24} /> : <Hash aria-hidden="true" />,
  };
}
