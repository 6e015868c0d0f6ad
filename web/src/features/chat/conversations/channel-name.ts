import { channelName } from '@atrium/proto-events/http/chat';

/** The name as it will be stored: lower case, trimmed, spaces as hyphens (specification, section 5). */
export const normalisedChannel = (given: string): string => given.toLowerCase().trim().replace(/\s+/g, '-');

/** What is wrong with a name, in the contract's own words. */
export function channelFault(given: string): string | undefined {
  const result = channelName.safeParse(given);
  return result.success ? undefined : result.error.issues[0]?.message;
}
