import { expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { reactingUsersLabel, reactionLabel } from './reaction-labels.ts';

const ME = buildUser('f');
const users = [...'0123456789'].map((digit) => buildUser(digit));
const emoji = '👍';

it('reactionLabel names the emoji, the number of people, and the user', () => {
  expect(reactionLabel({ emoji, count: 1, users: [] })).toBe('👍, 1 person');
  expect(reactionLabel({ emoji, count: 3, mine: true, users: [] })).toBe('👍, 3 people, including you');
  expect(reactionLabel({ emoji, count: 1, mine: true, users: [ME] })).toBe('👍, 1 person: you');
});

it('reactingUsersLabel lists up to ten users, with the signed-in user first', () => {
  const [first = ME, second = ME] = users;
  expect(reactingUsersLabel({ emoji, count: 2, users: [first, second] }, ME._id)).toBe('0 Example and 1 Example');
  expect(reactingUsersLabel({ emoji, count: 2, mine: true, users: [first, ME] }, ME._id)).toBe('You and 0 Example');
  const eleven = reactingUsersLabel({ emoji, count: 11, mine: false, users }, ME._id);
  expect(eleven).toMatch(/^0 Example, .*, 9 Example, and 1 other$/);
  const hidden = reactingUsersLabel({ emoji, count: 15, mine: true, users }, ME._id);
  expect(hidden).toMatch(/^You, 0 Example, .*, 8 Example, and 5 others$/);
});
