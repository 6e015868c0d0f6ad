/** Rooms of both namespaces. Every socket is in the rooms of its user, its session, and its user's conversations. */

export const userRoom = (userId: string) => `user:${userId}`;
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

const CONVERSATION = 'conversation:';
export const conversationRoom = (conversationId: string) => CONVERSATION + conversationId;
export const isConversationRoom = (room: string) => room.startsWith(CONVERSATION);

const PRESENCE = 'presence:';
/** In `/chat`: sockets that display the user's presence. */
export const presenceRoom = (userId: string) => PRESENCE + userId;
export const isPresenceRoom = (room: string) => room.startsWith(PRESENCE);

const TOPIC = 'topic:';
/** In `/live`: sockets that subscribed to the topic. */
export const topicRoom = (topic: string) => TOPIC + topic;
export const isTopicRoom = (room: string) => room.startsWith(TOPIC);

/** Subscription of a socket that has not named its topics yet. */
export const ALL_TOPICS = '*';

const DEPARTMENT = 'department:';
/** In `/live`: users of the department. */
export const departmentRoom = (departmentId: string) => DEPARTMENT + departmentId;
export const isDepartmentRoom = (room: string) => room.startsWith(DEPARTMENT);

/** In `/live`: administrators. */
export const ADMINS = 'role:admin';
