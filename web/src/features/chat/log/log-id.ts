const THREAD = 'thread:';

/** The id of the log of a thread; a conversation's log has the id of the conversation. */
export const threadLogId = (root: string): string => `${THREAD}${root}`;

/** Returns the root of a thread; null for a conversation. */
export const getRootOfLog = (logId: string): string | null =>
  logId.startsWith(THREAD) ? logId.slice(THREAD.length) : null;

/** Where a message is sent: a conversation, or a thread in it. */
export type Destination = { conversation: string; thread?: string | undefined };

export const logIdOf = ({ conversation, thread }: Destination): string =>
  thread === undefined ? conversation : threadLogId(thread);
