import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import { ADMINS, ALL_TOPICS, conversationRoom, departmentRoom, topicRoom, userRoom } from '../sockets/socket-server.ts';

type UpdateTarget<Users = readonly string[]> = Pick<LiveUpdate<Users>, 'topics' | 'audience'>;

type UserIds = { includes(userId: string): boolean };

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

/** Returns the sockets whose users are recipients, as in `isRecipient`. Sockets receive all topics until they subscribe. */
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
