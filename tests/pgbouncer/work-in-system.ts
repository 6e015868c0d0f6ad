import { startSystem } from '@atrium/dev-server/system/start-system';
import { createRoleFixture } from '../flows/authorization/roles/role-fixture.ts';

/** Starts Atrium on an external PostgreSQL and creates everything once. Throws if any of it fails. */
export async function workInSystem(env: Record<string, string>): Promise<void> {
  const system = await startSystem({ env });
  try {
    await createRoleFixture(system.url);
  } finally {
    await system.stop();
  }
}
