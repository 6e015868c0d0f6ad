import { listMentions } from '@atrium/proto-events/text/mentions';

/** Stands for all participants. */
const EVERYONE = '';

/** Returns the mentioned users and groups of a message, as the table has them. */
export function mentionedUsers(content: string): string[] {
  const { users, here, everyone, groups } = listMentions(content);
  return [...users, ...(here || everyone ? [EVERYONE] : []), ...groups.map(({ id }) => id)];
}
