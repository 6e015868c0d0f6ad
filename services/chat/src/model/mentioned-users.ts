import { listMentions } from '@atrium/proto-events/text/mentions';

/** Stands for all participants. */
const EVERYONE = '';

/** Returns the mentioned users of a message, as the table has them. */
export function mentionedUsers(content: string): string[] {
  const { users, here, everyone } = listMentions(content);
  return here || everyone ? [...users, EVERYONE] : users;
}
