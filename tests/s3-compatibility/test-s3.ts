import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { startVersity } from './start-versity.ts';

// `npm run test:s3`: runs the file storage suites against an S3 server other than MinIO, except the encryption suite,
// which that server does not support.
const SUITES = ['upload', 'upload-limits', 'large-file', 'versions', 'object-store', 'process-kill', 'documents'].map(
  (name) => `services/documents/test/${name}.api.test.ts`,
);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const requestedSuites = process.argv.slice(2);
const listener = { line: () => undefined, log: (name: string, text: string) => print(`${name}: ${text}`) };
const context = {
  ...ephemeralContext(listener),
  address: () => Promise.reject(new Error('The store needs no other server')),
};
try {
  const store = await startVersity(context);
  try {
    print(`Versity S3 Gateway ${store.version}`);
    const { url, accessKey, secretKey } = store.address;
    const env = { ...process.env, S3_ENDPOINT: url, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey };
    const test = fileURLToPath(new URL('../../packages/dev-server/test.ts', import.meta.url));
    const args = [
      '--disable-warning=ExperimentalWarning',
      test,
      ...(requestedSuites.length > 0 ? requestedSuites : SUITES),
    ];
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit');
    process.exitCode = code ?? 1;
  } finally {
    await store.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await context.reaper.close();
  context.ports.release();
}
