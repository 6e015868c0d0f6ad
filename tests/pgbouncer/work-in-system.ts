import { startSystem } from '@atrium/dev-server/system/start-system';
import { makeWorld } from '../flows/authorization/roles/role-fixture.ts';

/** A whole Atrium on a PostgreSQL that is given, in which everything there is has been made once. Throws where one of it fails. */
export async function workInSystem(env: Record<string, string>): Promise<void> {
  const system = await startSystem({ env });
  try {
    await makeWorld(system.url);
  } finally {
    await system.stop();
  }
}
