import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'minio';
import type { Secrets } from '../../process-manager/secrets.ts';
import { containerProcess } from '../container.ts';
import { goBuild } from '../providers/go-build.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import type { Address, BackingServer } from '../server.ts';
import { provisionObjectUsers } from './objects-users.ts';

export const BUCKET = 'atrium';

export const objectClient = ({ url, accessKey = '', secretKey = '' }: Address): Client => {
  const { hostname, port, protocol } = new URL(url);
  const useSSL = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    port: Number(port) || (useSSL ? 443 : 80),
    useSSL,
    accessKey,
    secretKey,
    // With retries, the client would log every failed attempt while the server starts.
    retryOptions: { disableRetry: true },
  });
};

export const objectKeys = (secrets: Secrets): { accessKey: string; secretKey: string } => ({
  accessKey: secrets.get('objects access key').slice(0, 20),
  secretKey: secrets.get('objects secret key').slice(0, 40),
});

export const objects: BackingServer = {
  name: 'objects',
  title: 'An S3 object store (MinIO)',
  envVariables: 'S3_ENDPOINT with S3_ACCESS_KEY and S3_SECRET_KEY',
  getAddressFromEnv: ({ S3_ENDPOINT: url, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey }) =>
    url && accessKey && secretKey ? { url, accessKey, secretKey } : undefined,
  providers: [
    onPath({ names: ['minio'] }),
    inContainer('objects'),
    goBuild({
      server: 'objects',
      folder: 'minio',
      module: 'github.com/minio/minio',
      target: 'github.com/minio/minio',
    }),
  ],
  async launch(program, context) {
    const port = await context.ports.reserve('objects');
    const { accessKey, secretKey } = objectKeys(context.secrets);
    const address = { url: `http://127.0.0.1:${port}`, accessKey, secretKey };
    const env = {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
      // Enables encryption of objects that request it (S3_ENCRYPTION).
      MINIO_KMS_SECRET_KEY: `atrium:${hash('sha256', context.secrets.get('objects encryption key'), 'base64')}`,
    };
    const checkReady = () => objects.check(address);
    if (program.image) {
      const options = { name: 'objects', ports: { [port]: 9000 }, data: '/data', env, args: ['server', '/data'] };
      return { address, spec: { ...containerProcess(program, context, options), checkReady } };
    }
    const folder = join(context.home, 'objects');
    await mkdir(folder, { recursive: true });
    const args = ['server', '--quiet', '--address', `127.0.0.1:${port}`, folder];
    return {
      address,
      spec: { file: program.file, args, env: { ...context.env, ...env }, stopTimeoutMs: 8_000, checkReady },
    };
  },
  async check(address) {
    await objectClient(address).listBuckets();
  },
  async provision(address, { env, secrets }) {
    const client = objectClient(address);
    const bucket = env.S3_BUCKET ?? BUCKET;
    if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket);
    // The operator of an external server manages its users.
    if (objects.getAddressFromEnv(env)) return;
    await provisionObjectUsers(client, { bucket, rootSecret: address.secretKey ?? '', secrets });
  },
};
