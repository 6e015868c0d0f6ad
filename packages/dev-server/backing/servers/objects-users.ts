import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from 'minio';
import type { Secrets } from '../../process-manager/secrets.ts';

export const OBJECT_SERVICES = ['documents', 'chat'] as const;
export type ObjectService = (typeof OBJECT_SERVICES)[number];

const POLICIES = new URL('../../../../deploy/backing/objects/', import.meta.url);
const POLICY_BUCKET = /(?<=arn:aws:s3:::)atrium(?=["/])/g;
const REGION = 'us-east-1';

export const objectServiceKeys = (secrets: Secrets, service: ObjectService) => ({
  accessKey: secrets.get(`objects access key of ${service}`).slice(0, 20),
  secretKey: secrets.get(`objects secret key of ${service}`).slice(0, 40),
});

/**
 * Creates the object store users, and resets the permissions and keys of existing ones. `client` and `rootSecret`
 * belong to MinIO's root user.
 */
export async function provisionObjectUsers(
  client: Client,
  { bucket, rootSecret, secrets }: { bucket: string; rootSecret: string; secrets: Secrets },
): Promise<void> {
  const put = (call: string, query: Record<string, string>, body: string | Buffer = '') =>
    client.makeRequestAsync(
      {
        method: 'PUT',
        bucketName: 'minio',
        objectName: `admin/v3/${call}`,
        query: new URLSearchParams(query).toString(),
      },
      body,
      [200],
      REGION,
    );
  for (const service of OBJECT_SERVICES) {
    const { accessKey, secretKey } = objectServiceKeys(secrets, service);
    const policy = readFileSync(new URL(`${service}.json`, POLICIES), 'utf8').replaceAll(POLICY_BUCKET, bucket);
    const user = encryptForAdmin(rootSecret, JSON.stringify({ secretKey, status: 'enabled' }));
    const calls = [
      () => put('add-canned-policy', { name: service }, policy),
      () => put('add-user', { accessKey }, user),
      () => put('set-user-or-group-policy', { policyName: service, userOrGroup: accessKey, isGroup: 'false' }),
    ];
    for (const call of calls) (await call()).resume();
  }
}

const PBKDF2_AES_GCM = 2;
const LAST_FRAGMENT = 0x80;

/**
 * Returns the salt, algorithm, nonce, and one fragment of AES-256-GCM, in the format of `EncryptData` in MinIO's
 * madmin-go. A fragment holds at most 16 KiB.
 */
function encryptForAdmin(password: string, text: string): Buffer {
  const salt = randomBytes(32);
  const nonce = randomBytes(8);
  const key = pbkdf2Sync(password, salt, 8_192, 32, 'sha256');
  const seal = (sequence: number, data: Buffer, associated: Buffer): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32LE(sequence);
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, counter])).setAAD(associated);
    return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
  };
  const header = seal(0, Buffer.alloc(0), Buffer.alloc(0));
  const fragment = seal(1, Buffer.from(text), Buffer.concat([Buffer.from([LAST_FRAGMENT]), header]));
  return Buffer.concat([salt, Buffer.from([PBKDF2_AES_GCM]), nonce, fragment]);
}
