import { startSystem } from '@atrium/local/system/start-system';
import { makeWorld } from '../flows/roles/world.ts';

/** A whole Atrium on a PostgreSQL that is given, in which everything there is has been made once. Throws where one of it fails. */
export async function workInSystem(env: Record<string, string>): Promise<void> {
  const system = await startSystem({ env });
  try {
    await makeWorld(system.url);
  } finally {
    await system.stop();
  }
}
