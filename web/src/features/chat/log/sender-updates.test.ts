import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { emitNameChanges, hasNameListeners } from '#realtime/name-changes.ts';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withNewest } from './message-log.ts';
import { changeLog, logOf } from './message-store.ts';
import { followSenders } from './sender-updates.ts';

const ada = buildUser('a');
const ben = buildUser('b');
const cleo = buildUser('c');
const changed = (id: string, fields: string[]) =>
  ({ resource: 'user', id, action: 'updated', version: 2, changed: fields }) as const;

let requests: string[];
let people: ReturnType<typeof buildUser>[];
let stop: () => Promise<void>;

beforeEach(async () => {
  requests = [];
  people = [];
  ({ stop } = await startApi(({ path }) => {
    requests.push(new URL(path, 'http://localhost').searchParams.get('ids') ?? path);
    return { status: 200, body: { data: people, total: people.length, page: 1, totalPages: 1 } };
  }));
  // Removes random delays.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  signInAs(buildUser('z'));
  for (const conversation of ['one', 'two'])
    changeLog(conversation, (log) =>
      withNewest(log, {
        data: [buildMessage(1, { sender: ada }), buildMessage(2, { sender: ben })],
        hasMore: false,
        revision: 0,
      }),
    );
  followSenders();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stop();
});

const names = (conversation: string) => logOf(conversation).messages.map(({ sender }) => sender.firstName);

it('followSenders updates changed names in every log with one request for known senders', async () => {
  expect(hasNameListeners()).toBe(true);
  people = [buildUser('a', { firstName: 'Augusta' })];
  emitNameChanges([changed(ada._id, ['firstName']), changed(ben._id, ['bio']), changed(cleo._id, ['firstName'])]);
  await waitFor(() => expect(names('one')).toEqual(['Augusta', 'B']));
  expect(names('two')).toEqual(['Augusta', 'B']);
  expect(requests).toEqual([ada._id]);
});

it('followSenders shows a deleted sender as deleted in every log', async () => {
  emitNameChanges([{ resource: 'user', id: ben._id, action: 'deleted', version: 3 }]);
  await waitFor(() => expect(logOf('one').messages[1]?.sender).toMatchObject({ firstName: 'Deleted', deleted: true }));
  expect(names('one')).toEqual(['A', 'Deleted']);
});

it('followSenders refetches all senders if it is unknown who changed', async () => {
  people = [buildUser('a'), buildUser('b', { firstName: 'Benno' })];
  emitNameChanges(null);
  await waitFor(() => expect(names('two')).toEqual(['A', 'Benno']));
  expect(requests).toEqual([`${ada._id},${ben._id}`]);
});
