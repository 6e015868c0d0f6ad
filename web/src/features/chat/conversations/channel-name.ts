import { channelName } from '@atrium/proto-events/http/chat';

/** The name as stored: lower case, trimmed, spaces as hyphens (specification, section 5). */
export const normalizeChannelName = (given: string): string => given.toLowerCase().trim().replace(/\s+/g, '-');

/** The contract's message for an invalid name. */
export function getChannelNameError(given: string): string | undefined {
  const result = channelName.safeParse(given);
  return result.success ? undefined : result.error.issues[0]?.message;
}
