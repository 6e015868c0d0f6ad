export const partitionOf = (userId: string): string => userId.slice(-1);

/**
 * The order of what a user is notified of and what they read. Partitions keep those who read from waiting for thousands
 * of others who are notified.
 */
export const readersAggregate = (conversationId: string, userId: string): string =>
  `readers:${conversationId}:${partitionOf(userId)}`;
