import { CompactEncrypt } from 'jose';

/** Seals a link with a secret in it for the notifications service, so that no outbox row, stream or log holds a usable one. */
export function sealLink(url: string, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(url))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
}
