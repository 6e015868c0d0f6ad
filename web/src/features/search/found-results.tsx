import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import type { Snippet } from '@atrium/proto-events/http/found';
import type { FoundDocument } from '@atrium/proto-events/http/search/documents';
import type { searchEverything } from '@atrium/proto-events/http/search/everything';
import type { FoundMeeting } from '@atrium/proto-events/http/search/meetings';
import type { FoundProject, FoundTask } from '@atrium/proto-events/http/search/projects';
import type { FoundUser } from '@atrium/proto-events/http/search/users';
import { insertPeople } from '@atrium/proto-events/insert-people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { CalendarDays, ChartNoAxesColumn, FileText, ListTodo } from 'lucide-react';
import { messagePath } from '#entities/message/message-path.ts';
import { toPlainSnippet } from '#entities/message/plain-snippet.ts';
import { columnLabel } from '#entities/task/task-labels.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { canMessage, directPath, displayName, roleAndDepartment } from '#entities/user/user-labels.ts';
import { clockTime, shortDate } from '#ui/times/time-format.ts';
import type { Result } from './result.ts';

export type SearchGroup = ResponseOf<typeof searchEverything>['groups'][number];

/** Converts what a service found. `currentUserId` decides whether a person can be messaged. */
export function toResults(group: SearchGroup, currentUserId: string): Result[] {
  switch (group.type) {
    case 'person':
      return group.data.map((found) => userResult(found, currentUserId));
    case 'project':
      return group.data.map(projectResult);
    case 'task':
      return group.data.map(taskResult);
    case 'meeting':
      return group.data.map(meetingResult);
    case 'document':
      return group.data.map(documentResult);
    case 'message':
      return (insertPeople(group) as typeof group).data.map(messageResult);
  }
}

const toText = (parts: Snippet) => parts.map(({ text }) => text).join('');

export function userResult({ user, invited, title, snippet }: FoundUser, currentUserId: string): Result {
  const name = displayName(user);
  const isReachable = canMessage({ _id: user._id, status: user.status ?? 'inactive', invited }, currentUserId);
  return {
    id: `result-${user._id}`,
    name,
    title,
    snippet,
    detail: roleAndDepartment(user),
    to: isReachable ? directPath(user._id) : `/team?${new URLSearchParams({ search: name })}`,
    icon: <Avatar user={user} size={24} />,
  };
}

const projectResult = ({ _id, title, snippet, projectManager }: FoundProject): Result => ({
  id: `result-${_id}`,
  name: toText(title),
  title,
  snippet,
  detail: displayName(projectManager),
  to: `/progress/${_id}`,
  icon: <ChartNoAxesColumn aria-hidden="true" />,
});

const taskResult = ({ _id, title, snippet, status, project }: FoundTask): Result => ({
  id: `result-${_id}`,
  name: toText(title),
  title,
  snippet,
  detail: `${columnLabel(status)} · ${isolate(project.name)}`,
  to: `/progress/${project._id}?task=${_id}`,
  icon: <ListTodo aria-hidden="true" />,
});

const meetingResult = ({ _id, title, snippet, startTime, isRecurring }: FoundMeeting): Result => ({
  id: `result-${_id}`,
  name: toText(title),
  title,
  snippet,
  detail: `${shortDate(startTime)}, ${clockTime(startTime)}${isRecurring ? ' · Recurring' : ''}`,
  to: `/meetings?meeting=${_id}`,
  icon: <CalendarDays aria-hidden="true" />,
});

const documentResult = ({ _id, name, title, snippet, uploadedBy, updatedAt }: FoundDocument): Result => ({
  id: `result-${_id}`,
  name,
  title,
  snippet,
  detail: `${isolate(displayName(uploadedBy))} · ${shortDate(updatedAt)}`,
  to: `/documents?preview=${_id}`,
  icon: <FileText aria-hidden="true" />,
});

function messageResult({ message, conversation, snippet }: FoundMessage): Result {
  const place = conversation.title === null ? 'Direct message' : isolate(conversation.title);
  const plainSnippet = toPlainSnippet(snippet);
  const sender = displayName(message.sender);
  return {
    id: `result-${message._id}`,
    name: sender,
    snippet:
      plainSnippet.length > 0 ? plainSnippet : message.attachments.map(({ name }) => ({ text: name, match: true })),
    detail: `${place} · ${shortDate(message.createdAt)}`,
    to: messagePath({ conversation: message.conversation, seq: message.seq, root: message.thread?.root }),
    icon: <Avatar user={message.sender} size={24} />,
  };
}
