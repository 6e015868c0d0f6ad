import { createLogger } from '@atrium/service-kit/observability/logger';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { afterEach, expect, it } from '@jest/globals';
import { createStore, insertOnce, type Store } from '../src/store/store.ts';

let store: Store | undefined;
afterEach(() => store?.close());

it.each([
  ['without options', {}],
  ['with weaker options', { w: '1', journal: 'false' }],
])(
  'the store acknowledges only writes that survive a crash, with a URL %s',
  async (_, options: Record<string, string>) => {
    const url = new URL(await testMongo('durable'));
    for (const [name, value] of Object.entries({ ...options, monitorCommands: 'true' }))
      url.searchParams.set(name, value);
    store = createStore(url.href, createLogger('notifications', 'silent'));
    await store.connected;
    const writeConcerns: [command: string, concern: unknown][] = [];
    store.claims.db.getClient().on('commandStarted', ({ commandName, command }) => {
      if (['insert', 'update', 'delete', 'findAndModify'].includes(commandName))
        writeConcerns.push([commandName, command.writeConcern]);
    });

    const claim = { _id: 'one', at: new Date() };
    await insertOnce(store.claims, [claim]);
    await store.claims.updateOne({ _id: 'one' }, { at: new Date() });
    await store.claims.findOneAndUpdate({ _id: 'one' }, { at: new Date() });
    await store.claims.deleteOne({ _id: 'one' });

    const concern = { w: 'majority', j: true };
    expect(writeConcerns).toEqual(['insert', 'update', 'findAndModify', 'delete'].map((command) => [command, concern]));
  },
);
