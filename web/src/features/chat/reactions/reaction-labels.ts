import type { Reaction } from '@atrium/proto-events/http/chat/reactions';
import { countOthers, displayName } from '#entities/user/user-labels.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { formatList } from '#lib/time/formats.ts';

/** '👍, 3 people, including you': the name of a reaction for screen readers. */
export function reactionLabel({ emoji, count, mine }: Reaction): string {
  if (mine && count === 1) return `${emoji}, 1 person: you`;
  const people = count === 1 ? '1 person' : `${formatNumber(count)} people`;
  return mine ? `${emoji}, ${people}, including you` : `${emoji}, ${people}`;
}

/** 'You, Ann Example, and 5 others': those who reacted. */
export function reactingUsersLabel({ count, mine, users }: Reaction, currentUserId: string): string {
  const others = users.filter(({ _id }) => _id !== currentUserId).map(displayName);
  const names = mine ? ['You', ...others].slice(0, users.length) : others;
  return formatList([...names, ...countOthers(count - names.length)]);
}
