import { compactDecrypt } from 'jose';
import { UnsendableMail } from './mail-failure.ts';

/** Opens a link that the auth service sealed with the key both are configured with (compact JWE, direct key, A256GCM). */
export async function openLink(sealed: string, key: Uint8Array): Promise<string> {
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
  const { plaintext } = await compactDecrypt(sealed, key, options).catch((cause: unknown) => {
    throw new UnsendableMail('the link could not be opened; do both services have the same LINK_SEALING_KEY?', {
      cause,
    });
  });
  const link = new TextDecoder().decode(plaintext);
  if (!URL.canParse(link)) throw new UnsendableMail('what was sealed is no link');
  return link;
}
