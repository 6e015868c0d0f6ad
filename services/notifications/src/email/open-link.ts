import { compactDecrypt } from 'jose';
import { UnsendableMail } from './mail-failure.ts';

const OPTIONS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Opens a link that the auth service sealed with one of the keys (compact JWE, direct key, A256GCM). */
export async function openLink(sealed: string, keys: readonly Uint8Array[]): Promise<string> {
  const opening = Promise.any(keys.map((key) => compactDecrypt(sealed, key, OPTIONS)));
  const { plaintext } = await opening.catch((cause: unknown) => {
    throw new UnsendableMail('the link could not be opened; do both services have the same LINK_SEALING_KEY?', {
      cause,
    });
  });
  const link = new TextDecoder().decode(plaintext);
  if (!URL.canParse(link)) throw new UnsendableMail('what was sealed is no link');
  return link;
}
