import type { Directory } from '@atrium/service-kit/directory/directory';

/** Decisions, section 11. */
const MENTION = /<@([0-9a-f]{24})>/g;

/** At most `max`; unknown ids are ignored. Every user can see every task. */
export function findMentionedIds(directory: Directory, text: string, max: number): string[] {
  const ids = new Set([...text.matchAll(MENTION)].map(([, id = '']) => id));
  return [...ids].filter((id) => directory.user(id)).slice(0, max);
}

export const replaceMentions = (directory: Directory, text: string): string =>
  text.replace(MENTION, (token, id: string) => {
    const user = directory.user(id);
    return user ? `@${`${user.firstName} ${user.lastName}`.trim() || user.email}` : token;
  });
