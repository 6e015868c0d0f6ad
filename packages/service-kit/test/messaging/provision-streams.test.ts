import { streamNames } from '@atrium/proto-events/nats-users';
import { connectMessaging, requireStream, StreamNotFoundError } from '@atrium/service-kit/messaging/messaging';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { testNats } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { describe, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';

const resources = closeAfterEach();

async function connectEmpty() {
  const { url, prefix } = await testNats({ isEmpty: true });
  const messaging = await connectMessaging({
    access: { servers: url },
    prefix,
    replicas: 1,
    name: 'users',
    log: quiet,
  });
  resources.push(messaging.connection);
  const provision = () => provisionStreams(messaging.manager, { prefix, replicas: 1 });
  const readConfig = async (name: string) => (await messaging.manager.streams.info(`${prefix}_${name}`)).config;
  return { messaging, prefix, provision, readConfig };
}

describe('provisionStreams', () => {
  it('creates every stream and bucket, and changes nothing when repeated', async () => {
    const { messaging, prefix, provision } = await connectEmpty();
    const readConfigs = () =>
      Promise.all(streamNames(prefix).map(async (name) => (await messaging.manager.streams.info(name)).config));
    await provision();
    const initialConfigs = await readConfigs();
    await provision();
    expect(await readConfigs()).toEqual(initialConfigs);
  });

  it('extends a stream with lower limits than declared', async () => {
    const { messaging, prefix, provision, readConfig } = await connectEmpty();
    await provision();
    const originalConfig = await readConfig('users');
    await messaging.manager.streams.update(`${prefix}_users`, {
      max_age: originalConfig.max_age / 2,
      duplicate_window: 1e9,
    });
    await provision();
    expect(await readConfig('users')).toMatchObject({
      max_age: originalConfig.max_age,
      duplicate_window: originalConfig.duplicate_window,
    });
  });

  it.each([
    ['twice the age', 2],
    ['no limit', 0],
  ])('keeps a higher limit that an operator set: %s', async (_description, factor) => {
    const { messaging, prefix, provision, readConfig } = await connectEmpty();
    await provision();
    const maxAge = (await readConfig('users')).max_age * factor;
    await messaging.manager.streams.update(`${prefix}_users`, { max_age: maxAge });
    await provision();
    expect((await readConfig('users')).max_age).toBe(maxAge);
  });
});

describe('a service whose stream is missing', () => {
  it('reports the stream and the command that creates it, and finds it once it exists', async () => {
    const { messaging, prefix, provision } = await connectEmpty();
    await expect(requireStream(messaging, 'users')).rejects.toThrow(StreamNotFoundError);
    await expect(requireStream(messaging, 'users')).rejects.toThrow(
      `${prefix}_users is missing. Create it with the command`,
    );
    await provision();
    expect(await requireStream(messaging, 'users')).toBe(`${prefix}_users`);
  });
});
