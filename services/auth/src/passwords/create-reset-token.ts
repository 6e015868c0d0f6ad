import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Config } from '../config.ts';
import { createSecretLink } from '../secret-link.ts';
import { insertReset } from './reset-repository.ts';

/** Single use, valid for one hour. */
export async function createResetToken(
  config: Config,
  tx: Queryable,
  given: { userId: string; madeBy: string | null },
) {
  const { url, tokenHash, sealedUrl } = await createSecretLink(config, 'reset-password');
  const id = newId();
  const expiresAt = (await insertReset(tx, { id, tokenHash, ...given })).toISOString();
  return { id, url, sealedUrl, expiresAt };
}
