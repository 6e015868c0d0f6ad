import type { Topic } from '@atrium/proto-events/realtime';
import { ADMINS, ALL_TOPICS, conversationRoom, departmentRoom, topicRoom, userRoom } from '../realtime/rooms.ts';

/** People by their ids: a list, or the text of one. */
export type People = { includes(userId: string): boolean };

/**
 * Who may be told: everybody who shows a topic, or these people, those of these departments and administrators of them; and whoever takes part
 * in a conversation.
 */
export type Audience<Users extends People = readonly string[]> =
  | 'everyone'
  | { users: Users; departments?: readonly string[]; admins?: boolean; conversation?: string };

type LiveUpdate<Users extends People = readonly string[]> = { topics: readonly Topic[]; audience: Audience<Users> };

/** Who hears, as far as that says what. */
export type Listener = {
  userId: string;
  isAdmin: boolean;
  isIn(departmentId: string): boolean;
  shows(topic: string): boolean;
  takesPartIn(conversationId: string): boolean;
};

/** Whether somebody is told of it. */
export function isRecipient({ topics, audience }: LiveUpdate<People>, listener: Listener): boolean {
  if (audience === 'everyone') return topics.some(listener.shows);
  const { users, departments = [], admins = false, conversation } = audience;
  if (conversation !== undefined && listener.takesPartIn(conversation)) return true;
  const mayKnow = (admins && listener.isAdmin) || users.includes(listener.userId) || departments.some(listener.isIn);
  return mayKnow && topics.some(listener.shows);
}

type Sockets = ReadonlySet<string>;

/** The same of all sockets at once, found by the rooms of `/live` in which they are. Whoever has not said what they show is told of all. */
export function recipientSockets({ topics, audience }: LiveUpdate, rooms: ReadonlyMap<string, Sockets>): Set<string> {
  const inRooms = (names: readonly string[]) => names.flatMap((name) => rooms.get(name) ?? []);
  const showing = inRooms([...topics, ALL_TOPICS].map(topicRoom));
  if (audience === 'everyone') return new Set(showing.flatMap((sockets) => [...sockets]));
  const { users, departments = [], admins = false, conversation } = audience;
  const knowing = inRooms([...users.map(userRoom), ...departments.map(departmentRoom), ...(admins ? [ADMINS] : [])]);
  const told = new Set(conversation === undefined ? [] : rooms.get(conversationRoom(conversation)));
  for (const sockets of knowing)
    for (const socket of sockets) if (showing.some((some) => some.has(socket))) told.add(socket);
  return told;
}
