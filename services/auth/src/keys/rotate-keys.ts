import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import type { Config } from '../config.ts';
import { deriveKeys } from '../derive-key.ts';
import { rotateSigningKey } from './key-ring.ts';

/** Command `rotate-keys`: the new key signs within eleven minutes, and the old one is removed after an hour. */
export async function rotateKeys(config: Config): Promise<void> {
  const log = createLogger('auth', config.LOG_LEVEL);
  const db = createDb(config.DATABASE_URL, 1, log);
  try {
    await rotateSigningKey(db, deriveKeys(config, 'signing keys'), log);
  } finally {
    await db.pool.end();
  }
}
