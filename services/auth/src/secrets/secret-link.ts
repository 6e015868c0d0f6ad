import { randomBytes } from 'node:crypto';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { Config } from '../config.ts';
import { hashToken } from './crypto.ts';

type SecretLink = { url: string; tokenHash: Buffer; sealedUrl: string };

/**
 * The database stores only the hash of the token, and events carry the link sealed for the notifications service: no
 * outbox row, stream, or log contains a usable link.
 */
export async function createSecretLink(config: Config, page: 'accept-invite' | 'reset-password'): Promise<SecretLink> {
  const token = randomBytes(32).toString('base64url');
  const url = `${config.PUBLIC_URL}/${page}?token=${token}`;
  return { url, tokenHash: hashToken(token), sealedUrl: await sealLink(url, config.LINK_SEALING_KEY) };
}

/**
 * Opens the link again for a retry of the request that created it. Returns undefined if it was sealed with a different
 * key.
 */
export async function openSealedLink({ LINK_SEALING_KEY }: Config, sealedUrl: string): Promise<string | undefined> {
  const decrypted = await compactDecrypt(sealedUrl, LINK_SEALING_KEY).catch(() => undefined);
  return decrypted && new TextDecoder().decode(decrypted.plaintext);
}

function sealLink(url: string, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(url))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
}

type LinkCreator = { createdBy: string; createdAt: Date };

/**
 * A link is revoked together with the sessions of its creator, who was deactivated, deleted, or given a different role
 * since. Otherwise former administrators could regain access through links they created.
 */
export function isLinkRevoked(directory: Directory, { createdBy, createdAt }: LinkCreator): boolean {
  const creator = directory.user(createdBy);
  if (!creator) return false;
  return !isActive(creator) || creator.role !== 'admin' || creator.sessionsValidAfter > createdAt.getTime();
}

/** Returns whether the link is revoked; throws `unavailable` while the directory does not contain its creator. */
export function isLinkRevokedOrThrow(directory: Directory, link: LinkCreator): boolean {
  if (!directory.user(link.createdBy))
    throw unavailable('Links cannot be checked right now. Please try again in a moment.');
  return isLinkRevoked(directory, link);
}
