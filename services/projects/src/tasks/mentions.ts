import type { Directory } from '@atrium/service-kit/directory/directory';

/** A mention in a text (decisions, section 11). */
const MENTION = /<@([0-9a-f]{24})>/g;

/** The users that a text mentions, at most `max`. Unknown ids are left out; every user may see every task. */
export function findMentionedIds(directory: Directory, text: string, max: number): string[] {
  const ids = new Set([...text.matchAll(MENTION)].map(([, id = '']) => id));
  return [...ids].filter((id) => directory.user(id)).slice(0, max);
}

/** The text with the names of those whom it mentions, for readers outside of the app. */
export const nameMentions = (directory: Directory, text: string): string =>
  text.replace(MENTION, (token, id: string) => {
    const user = directory.user(id);
    return user ? `@${`${user.firstName} ${user.lastName}`.trim() || user.email}` : token;
  });
