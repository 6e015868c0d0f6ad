import { listMentions } from '@atrium/proto-events/text/mentions';

/** Stands for all participants. */
const EVERYONE = '';

/** Returns the mentioned users and groups of a message, as the table has them. Anyone can write the same id as both. */
export function mentionedUsers(content: string): string[] {
  const { users, here, everyone, groups } = listMentions(content);
  return [...new Set([...users, ...(here || everyone ? [EVERYONE] : []), ...groups.map(({ id }) => id)])];
}
