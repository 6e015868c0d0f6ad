/** Rooms of both namespaces. A socket is in its own ones from the start and in those of its conversations while it takes part. */

export const userRoom = (userId: string) => `user:${userId}`;
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

const CONVERSATION = 'conversation:';
export const conversationRoom = (conversationId: string) => CONVERSATION + conversationId;
export const isConversationRoom = (room: string) => room.startsWith(CONVERSATION);

const PRESENCE = 'presence:';
/** Of `/chat`: where whoever shows a person is. */
export const presenceRoom = (userId: string) => PRESENCE + userId;
export const isPresenceRoom = (room: string) => room.startsWith(PRESENCE);

const TOPIC = 'topic:';
/** Of `/live`: where whoever watches a topic is. */
export const topicRoom = (topic: string) => TOPIC + topic;
export const isTopicRoom = (room: string) => room.startsWith(TOPIC);

/** What a browser watches that has not said what it shows: everything. */
export const ALL_TOPICS = '*';

const DEPARTMENT = 'department:';
/** Of `/live`: where the people of a department are. */
export const departmentRoom = (departmentId: string) => DEPARTMENT + departmentId;
export const isDepartmentRoom = (room: string) => room.startsWith(DEPARTMENT);

/** Of `/live`: where administrators are. */
export const ADMINS = 'role:admin';
