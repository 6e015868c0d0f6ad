import type { Audience, LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import { ADMINS, conversationRoom, departmentRoom, tagRoom, userRoom } from '../sockets/socket-server.ts';

export type Recipient = {
  userId: string;
  isAdmin: boolean;
  isInDepartment(departmentId: string): boolean;
  isSubscribedTo(tag: string): boolean;
  isParticipantOf(conversationId: string): boolean;
};

export function isRecipient(
  { audience, change }: LiveUpdate<{ includes(userId: string): boolean }>,
  recipient: Recipient,
): boolean {
  if (audience === 'everyone') return change.tags.some(recipient.isSubscribedTo);
  const { users, departments = [], admins = false, conversation } = audience;
  return (
    users.includes(recipient.userId) ||
    (admins && recipient.isAdmin) ||
    departments.some(recipient.isInDepartment) ||
    (conversation !== undefined && recipient.isParticipantOf(conversation))
  );
}

/** Rooms with more sockets receive separate frames: small rooms that are united have different changes each time. */
const MAX_UNITED_SOCKETS = 100;

type Rooms = ReadonlyMap<string, { readonly size: number }>;

/**
 * Returns the lists of rooms whose sockets are recipients, as in `isRecipient`. Each list receives a frame, so that a
 * socket in several rooms of a list receives the change once.
 */
export function selectRooms({ audience, change }: LiveUpdate, rooms: Rooms): string[][] {
  if (audience !== 'everyone') return [listAudienceRooms(audience)];
  // A socket that subscribes after the change receives it with the acknowledgment.
  const subscribedRooms = change.tags.map(tagRoom).filter((room) => rooms.has(room));
  const isSmall = (room: string) => (rooms.get(room)?.size ?? 0) <= MAX_UNITED_SOCKETS;
  const smallRooms = subscribedRooms.filter(isSmall);
  const largeRooms = subscribedRooms.filter((room) => !isSmall(room));
  return [...largeRooms.map((room) => [room]), ...(smallRooms.length > 0 ? [smallRooms] : [])];
}

/** Includes empty rooms, because sockets may join them before the changes are sent. */
const listAudienceRooms = ({ users, departments = [], admins, conversation }: Exclude<Audience, 'everyone'>) => [
  ...users.map(userRoom),
  ...departments.map(departmentRoom),
  ...(admins ? [ADMINS] : []),
  ...(conversation === undefined ? [] : [conversationRoom(conversation)]),
];
