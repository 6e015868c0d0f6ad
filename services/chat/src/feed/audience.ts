import type { Change, Topic } from '@atrium/proto-events/realtime';
import { ADMINS, ALL_TOPICS, conversationRoom, departmentRoom, topicRoom, userRoom } from '../sockets/socket-server.ts';

type UserIds = { includes(userId: string): boolean };

/**
 * `conversation` includes participants regardless of their subscriptions; all others must subscribe to one of the
 * topics.
 */
export type Audience<Users extends UserIds = readonly string[]> =
  | 'everyone'
  | { users: Users; departments?: readonly string[]; admins?: boolean; conversation?: string };

export type LiveUpdate<Users extends UserIds = readonly string[]> = {
  topics: readonly Topic[];
  audience: Audience<Users>;
  changes: readonly Change[];
};

type UpdateTarget<Users extends UserIds = readonly string[]> = Pick<LiveUpdate<Users>, 'topics' | 'audience'>;

export type Recipient = {
  userId: string;
  isAdmin: boolean;
  isInDepartment(departmentId: string): boolean;
  isSubscribedTo(topic: string): boolean;
  isParticipantOf(conversationId: string): boolean;
};

export function isRecipient({ topics, audience }: UpdateTarget<UserIds>, recipient: Recipient): boolean {
  if (audience === 'everyone') return topics.some(recipient.isSubscribedTo);
  const { users, departments = [], admins = false, conversation } = audience;
  if (conversation !== undefined && recipient.isParticipantOf(conversation)) return true;
  const canSee =
    (admins && recipient.isAdmin) || users.includes(recipient.userId) || departments.some(recipient.isInDepartment);
  return canSee && topics.some(recipient.isSubscribedTo);
}

type Sockets = ReadonlySet<string>;

/** Sockets that have not subscribed yet receive all topics. */
export function recipientSockets({ topics, audience }: UpdateTarget, rooms: ReadonlyMap<string, Sockets>): Set<string> {
  const socketSetsIn = (names: readonly string[]) => names.flatMap((name) => rooms.get(name) ?? []);
  const subscribedSets = socketSetsIn([...topics, ALL_TOPICS].map(topicRoom));
  if (audience === 'everyone') return new Set(subscribedSets.flatMap((sockets) => [...sockets]));
  const { users, departments = [], admins = false, conversation } = audience;
  const permittedSets = socketSetsIn([
    ...users.map(userRoom),
    ...departments.map(departmentRoom),
    ...(admins ? [ADMINS] : []),
  ]);
  const recipients = new Set(conversation === undefined ? [] : rooms.get(conversationRoom(conversation)));
  for (const sockets of permittedSets)
    for (const socket of sockets) if (subscribedSets.some((socketIds) => socketIds.has(socket))) recipients.add(socket);
  return recipients;
}

export type Action = Change['action'];

/** Lets clients skip refetching pages of other projects. Omitted when the resource moves between projects. */
export const toScope = ({
  project,
  changed,
}: {
  project?: string | null | undefined;
  changed?: readonly string[];
}): Pick<Change, 'scope'> => (project === undefined || changed?.includes('project') ? {} : { scope: { project } });

export const withAdmins = (...userIds: string[]) => ({ users: [...new Set(userIds)], admins: true }) satisfies Audience;

/** Returns true if one of the fields has changed, or if the event does not name the changed fields. */
export const hasChanged = (changed: readonly string[] | undefined, fields: readonly string[]) =>
  changed?.some((field) => fields.includes(field)) !== false;
