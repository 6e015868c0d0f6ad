import type { Change } from '@atrium/proto-events/realtime';
import { beforeEach, expect, it } from '@jest/globals';
import { QueryCache } from '#lib/query/query-cache.ts';
import { applyChanges } from '#realtime/live-changes.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withNewest, withReceived } from './message-log.ts';
import { changeLog, logOf, messageStore } from './message-store.ts';

const ME = buildUser('f');
const ada = { _id: 'a'.repeat(24), firstName: 'Ada', lastName: 'Example', version: 3 };
const ben = { _id: 'b'.repeat(24), firstName: 'Ben', lastName: 'Example', version: 3 };

beforeEach(() => {
  signInAs(buildUser('z'));
  signInAs(ME);
  const data = [buildMessage(1, { sender: ada }), buildMessage(2, { sender: ben })];
  for (const conversation of ['one', 'two'])
    changeLog(conversation, (log) => withNewest(log, { data, hasMore: false, revision: 0 }));
});

const change = (user: typeof ada, { action = 'updated' as Change['action'] } = {}) => {
  const { _id: id, version } = user;
  const item = action === 'deleted' ? {} : { item: { ...user, bio: 'Not shown in messages' } };
  const tags: Change['tags'] = ['users', 'people'];
  applyChanges(new QueryCache(), { changes: [{ resource: 'user', id, action, version, tags, ...item }] }, ME);
};
const senders = (conversation: string) => logOf(conversation).messages.map(({ sender }) => sender);

it('messages in every log show a renamed sender immediately', () => {
  // A message that waits for the one before it.
  changeLog('one', (log) => withReceived(log, [buildMessage(4, { sender: ada })]));
  const augusta = { ...ada, firstName: 'Augusta', version: 4 };
  change(augusta);
  expect(senders('one')).toEqual([augusta, ben]);
  expect(senders('two')).toEqual([augusta, ben]);
  expect(logOf('one').ahead[0]?.sender).toEqual(augusta);
});

it('messages keep a sender of a later version than the change', () => {
  change({ ...ada, firstName: 'Ad', version: 2 });
  expect(senders('one')).toEqual([ada, ben]);
});

it('messages in every log show a deleted sender as deleted', () => {
  change(ben, { action: 'deleted' });
  expect(senders('two')).toEqual([ada, { _id: ben._id, firstName: 'Deleted', lastName: 'user', deleted: true }]);
});

it('messages stay the same when someone else is renamed', () => {
  const before = messageStore.logOf('one');
  change({ ...ada, _id: 'c'.repeat(24) });
  expect(messageStore.logOf('one')).toBe(before);
});

it('messages in every log show a renamed user in their reactions', () => {
  const reactions = [{ emoji: '👍', count: 2, mine: false, users: [ada, ben] }];
  changeLog('one', (log) => withReceived(log, [buildMessage(3, { sender: ben, reactions })]));
  const augusta = { ...ada, firstName: 'Augusta', version: 4 };
  change(augusta);
  expect(logOf('one').messages.at(-1)?.reactions).toEqual([{ ...reactions[0], users: [augusta, ben] }]);
});

it('messages in every log show a renamed user who is mentioned', () => {
  const mentions = { users: [ada], here: false, everyone: false, groups: [] };
  changeLog('one', (log) => withReceived(log, [buildMessage(3, { sender: ben, mentions })]));
  const augusta = { ...ada, firstName: 'Augusta', version: 4 };
  change(augusta);
  expect(logOf('one').messages.at(-1)?.mentions.users).toEqual([augusta]);
});
