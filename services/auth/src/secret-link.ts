import { randomBytes } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { Config } from './config.ts';
import { hashToken } from './hash-token.ts';

export type SecretLink = { url: string; tokenHash: Buffer; sealedUrl: string };

/**
 * A link to a page that takes a token nobody else has. The database keeps the token's hash, an event the link sealed for the
 * notifications service: no outbox row, stream or log holds a usable one.
 */
export async function makeSecretLink(config: Config, page: 'accept-invite' | 'reset-password'): Promise<SecretLink> {
  const token = randomBytes(32).toString('base64url');
  const url = `${config.PUBLIC_URL}/${page}?token=${token}`;
  return { url, tokenHash: hashToken(token), sealedUrl: await sealLink(url, config.LINK_SEALING_KEY) };
}

/** The link of a sealed one, for a retry of the request that created it. Undefined where it was sealed with another key. */
export async function openSealedLink({ LINK_SEALING_KEY }: Config, sealedUrl: string): Promise<string | undefined> {
  const opened = await compactDecrypt(sealedUrl, LINK_SEALING_KEY).catch(() => undefined);
  return opened && new TextDecoder().decode(opened.plaintext);
}

function sealLink(url: string, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(url))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
}
