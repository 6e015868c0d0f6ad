/** Rooms of both namespaces. A socket is in its own ones from the start and in those of its conversations while it takes part. */

export const EVERYONE = 'everyone';
export const ADMINS = 'admins';
export const userRoom = (userId: string) => `user:${userId}`;
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

const CONVERSATION = 'conversation:';
export const conversationRoom = (conversationId: string) => CONVERSATION + conversationId;
export const isConversationRoom = (room: string) => room.startsWith(CONVERSATION);
