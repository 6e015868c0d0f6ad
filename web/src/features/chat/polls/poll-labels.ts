import type { Poll, PollOption } from '@atrium/proto-events/http/chat/message-parts';
import { countPeople } from '#entities/user/user-labels.ts';

const voters = (count: number): string => (count === 1 ? '1 person voted' : `${count} people voted`);

/** How many people have voted, and how the poll works. */
export function pollSummary({ voterCount, multiple, anonymous, closedAt }: Poll): string {
  const parts = [
    voterCount === 0 ? 'No votes yet' : voters(voterCount),
    ...(multiple ? ['Several options'] : []),
    ...(anonymous ? ['Anonymous'] : []),
    ...(closedAt === null ? [] : ['Closed']),
  ];
  return parts.join(' · ');
}

/** The share of the voters who have chosen an option, in percent. */
export const shareOf = ({ count }: PollOption, { voterCount }: Poll): number =>
  voterCount === 0 ? 0 : Math.round((100 * count) / voterCount);

/** What a screen reader says of an option after its text. */
export const resultLabel = (option: PollOption, poll: Poll): string =>
  `${countVotes(option.count)}, ${shareOf(option, poll)}%`;

export const countVotes = (count: number): string => (count === 1 ? '1 vote' : `${count} votes`);

export const otherVoters = (count: number): string => `and ${countPeople(count, 'other')}`;
