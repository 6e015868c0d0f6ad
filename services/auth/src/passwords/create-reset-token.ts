import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Config } from '../config.ts';
import { makeSecretLink } from '../secret-link.ts';
import { insertReset } from './reset-repository.ts';

/** Makes a link of an hour with which a person sets a new password once. */
export async function makeReset(config: Config, tx: Queryable, given: { userId: string; madeBy: string | null }) {
  const { url, tokenHash, sealedUrl } = await makeSecretLink(config, 'reset-password');
  const id = newId();
  const expiresAt = (await insertReset(tx, { id, tokenHash, ...given })).toISOString();
  return { id, url, sealedUrl, expiresAt };
}
