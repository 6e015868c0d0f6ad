import { compactDecrypt } from 'jose';
import { UnsendableEmailError } from './delivery-failure.ts';

const OPTIONS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Opens a link sealed by the auth service with one of the keys (compact JWE, direct key, A256GCM). */
export async function openLink(sealed: string, keys: readonly Uint8Array[]): Promise<string> {
  const opening = Promise.any(keys.map((key) => compactDecrypt(sealed, key, OPTIONS)));
  const { plaintext } = await opening.catch((cause: unknown) => {
    throw new UnsendableEmailError(
      'Failed to open sealed link. Check that auth and notifications use the same LINK_SEALING_KEY.',
      {
        cause,
      },
    );
  });
  const link = new TextDecoder().decode(plaintext);
  if (!URL.canParse(link)) throw new UnsendableEmailError('Sealed value is not a URL');
  return link;
}
