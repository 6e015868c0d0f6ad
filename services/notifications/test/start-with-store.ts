import { type Connection, createConnection } from 'mongoose';
import { startNotifications } from './factories.ts';

/** Starts the service with a connection to its store, which is closed with it. */
export async function startWithStore(env: Record<string, string> = {}) {
  const { service, users } = await startNotifications(env);
  const store: Connection = await createConnection(service.env.MONGO_URL ?? '').asPromise();
  const close = async () => {
    await store.close();
    await service.close();
  };
  return { service: { ...service, close }, users, store };
}
