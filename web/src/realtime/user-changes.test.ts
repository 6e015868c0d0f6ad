import type { UserSummary } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import { expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { emitUserChanges, onUserChanges } from './user-changes.ts';

function listen() {
  const received: ReadonlyMap<string, UserSummary>[] = [];
  const stop = onUserChanges((users) => void received.push(users));
  return { received, stop };
}

const ada = buildUser('a', { firstName: 'Augusta' });
const ben = buildUser('b');
const changed = (id: string, change: Partial<Change>): Change => ({
  resource: 'user',
  id,
  action: 'updated',
  version: 2,
  tags: ['users', 'people'],
  ...change,
});

it('emitUserChanges reports changed and deleted users at once', () => {
  const { received, stop } = listen();
  emitUserChanges([changed(ada._id, { item: ada }), changed(ben._id, { action: 'deleted' })]);
  expect(received).toHaveLength(1);
  expect(received[0]?.get(ada._id)).toBe(ada);
  expect(received[0]?.get(ben._id)).toMatchObject({ firstName: 'Deleted', deleted: true });
  stop();
});

it('emitUserChanges reports no other changes', () => {
  const { received, stop } = listen();
  emitUserChanges([
    changed(ada._id, { item: ada, tags: ['users'] }),
    changed(ada._id, { item: ada, resource: 'project' }),
    changed(ada._id, {}),
  ]);
  expect(received).toEqual([]);
  stop();
});
