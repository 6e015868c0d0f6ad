/** Rooms of both namespaces. A socket is in its own ones from the start and in those of its conversations while it takes part. */

export const userRoom = (userId: string) => `user:${userId}`;
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

const CONVERSATION = 'conversation:';
export const conversationRoom = (conversationId: string) => CONVERSATION + conversationId;
export const isConversationRoom = (room: string) => room.startsWith(CONVERSATION);

/** Who a socket belongs to, as far as that says what it may be told. */
export type Viewer = { userId: string; isAdmin: boolean };

const TOPIC = 'topic:';
export const isTopicRoom = (room: string) => room.startsWith(TOPIC);
export const everybodyAt = (topic: string) => TOPIC + topic;
export const oneAt = (topic: string, userId: string) => `${TOPIC}${topic}/${userId}`;
export const adminsAt = (topic: string) => `${TOPIC}${topic}/admins`;

/** What a browser watches that has not said what it shows: everything, as one of an earlier release. */
export const ALL_TOPICS = '*';

/** Of `/live`: where a socket is that watches these topics. */
export const watchingRooms = (topics: Iterable<string>, { userId, isAdmin }: Viewer): string[] =>
  [...topics].flatMap((topic) => [everybodyAt(topic), oneAt(topic, userId), ...(isAdmin ? [adminsAt(topic)] : [])]);
