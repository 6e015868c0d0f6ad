import { createLogger } from '@atrium/service-kit/observability/logger';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createStore, type Store } from '../src/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = createStore(await testMongo('concurrent'), createLogger('test', 'silent'));
  await store.connected;
});
afterAll(() => store.close());

const at = new Date();
const buildNotification = (_id: string) => ({
  _id,
  personId: 'user',
  kind: 'chat.direct_message.sent',
  resource: 'conversation',
  subjectId: 'conversation',
  title: '',
  actorId: null,
  read: false,
  readAt: null,
  createdAt: at,
});

it('concurrent updates of a notification are all kept', async () => {
  await store.notifications.create(buildNotification('one'));
  const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
  await Promise.all(
    keys.flatMap((key) => [
      store.notifications.updateMany({ _id: 'one' }, { $addToSet: { eventKeys: key } }),
      store.notifications.updateOne({ _id: 'one' }, { $set: { title: key } }),
    ]),
  );
  const stored = await store.notifications.findById('one').lean();
  expect(stored?.eventKeys?.toSorted()).toEqual(keys.toSorted());
});

it('a failed update does not hold up the next one', async () => {
  await store.notifications.create(buildNotification('two'));
  const invalid = store.notifications.updateOne({ _id: 'two' }, { $set: { title: 'a' }, $inc: { title: 1 } });
  await expect(invalid).rejects.toThrow();
  await store.notifications.updateOne({ _id: 'two' }, { $set: { title: 'b' } });
  expect((await store.notifications.findById('two').lean())?.title).toBe('b');
});
