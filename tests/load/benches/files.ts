import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createS3Client } from '@atrium/object-store/s3/s3-client';
import { freePort } from '@atrium/test-kit/free-port';
import { type Figure, median, recordTime, type TimesByName } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { listenerAt, type Measured } from '../processes.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 512 * MIB;
const ROUNDS = 3;
const SAMPLE_INTERVAL_MS = 20;
const LINK_SECONDS = 3_600;

type How = 'put' | 'form' | 'parts' | 'get';
type Move = { how: How; url: string; token?: string };

/** Upload and download rates through the gateway, against direct access to the store, alternating in one run, and the memory it takes. */
export async function benchFiles(environment: LoadEnvironment): Promise<Figure[]> {
  const port = await freePort();
  const gateway = await environment.startGateway({ DOCUMENTS_URL: `http://127.0.0.1:${port}` });
  // No quota, since every round uploads another file.
  const env = { S3_PUBLIC_URL: gateway.url, USER_STORAGE_QUOTA_BYTES: '0' };
  const documents = await environment.startService('documents', 'documents', { port, env });
  try {
    const token = await environment.tokenOf(0);
    const direct = await linksTo(environment);
    const up = (how: 'form' | 'parts', bytes?: number) => move({ how, url: gateway.url, token }, bytes);
    // Excludes what is loaded with the first file from the memory figures.
    await up('form', MIB);
    await up('parts', 9 * MIB);
    const link = await linkOfLast(gateway.url, token);
    await move({ how: 'get', url: link }, 9 * MIB);

    const store = listenerAt(environment.storeEnv.S3_ENDPOINT);
    const seconds: TimesByName = {};
    const worked: Record<string, TimesByName> = {};
    const at = { gateway, documents, store };
    const run = async (what: string, how: Move) => {
      const cpu = () => Object.fromEntries(Object.entries(at).map(([name, one]) => [name, one.cpuSeconds()]));
      const before = cpu();
      const moved = await move(how);
      recordTime(seconds, what, moved.seconds);
      const taken = worked[what] ?? {};
      worked[what] = taken;
      recordTime(taken, 'client', moved.cpu);
      for (const [name, now] of Object.entries(cpu())) recordTime(taken, name, now - (before[name] ?? 0));
    };
    const grown: Record<string, number> = {};
    const watch = watchMemory(at);
    for (let round = 0; round < ROUNDS; round += 1) {
      const ups: [string, Move][] = [
        ['direct upload', { how: 'put', url: direct.put }],
        ['form', { how: 'form', url: gateway.url, token }],
        ['parts', { how: 'parts', url: gateway.url, token }],
      ];
      for (const [what, how] of ups) {
        watch.begin();
        await run(what, how);
        for (const [name, mb] of Object.entries(watch.end())) {
          const growth = `${name}, ${WAYS[what]}`;
          grown[growth] = Math.max(grown[growth] ?? 0, mb);
        }
      }
      const viaGateway = await linkOfLast(gateway.url, token);
      await run('direct download', { how: 'get', url: direct.get });
      await run('down', { how: 'get', url: viaGateway });
    }
    const rate = (what: string) => FILE_BYTES / MIB / median(seconds[what] ?? []);
    const ratio = (what: string, how: string, than: string, limit: number | null): Figure => ({
      what,
      value: rate(how) / rate(than),
      unit: '×',
      limit,
      sense: 'at least',
      detail: `${rate(how).toFixed(0)} MB/s against ${rate(than).toFixed(0)} MB/s; ${spread(seconds[how])} s against ${spread(seconds[than])} s`,
    });
    return [
      ratio('upload in one request through the gateway, against directly to the store', 'form', 'direct upload', 0.6),
      ratio(
        'upload in parts through the gateway, including its completion, against the same',
        'parts',
        'direct upload',
        0.6,
      ),
      ratio('download through the gateway, against directly from the store', 'down', 'direct download', 0.85),
      ...Object.entries(worked).map(
        ([what, by]): Figure => ({
          what: `CPU time of all processes for 512 MiB ${WAYS[what]}`,
          value: Object.values(by).reduce((sum, taken) => sum + median(taken), 0),
          unit: ' s',
          limit: null,
          sense: 'at most',
          detail: Object.entries(by)
            .map(([name, taken]) => `${name} ${median(taken).toFixed(2)}`)
            .join(', '),
        }),
      ),
      ...Object.entries(grown).map(
        ([name, value]): Figure => ({
          what: `memory that an upload of 512 MiB adds to ${name}`,
          value,
          unit: ' MB',
          limit: 64,
          sense: 'at most',
          detail: `maximum of ${ROUNDS}`,
        }),
      ),
    ];
  } finally {
    await Promise.all([gateway.stop(), documents.stop()]);
  }
}

const WAYS: Record<string, string> = {
  'direct upload': 'uploaded directly',
  form: 'uploaded in one request',
  parts: 'uploaded in parts',
  'direct download': 'downloaded directly',
  down: 'downloaded through the gateway',
};

const spread = (seconds: readonly number[] = []) => seconds.map((one) => one.toFixed(1)).join(', ');

/** Presigned links of the store to one object. */
async function linksTo({ storeEnv }: LoadEnvironment) {
  const client = createS3Client(storeEnv, 10_000);
  const [bucket, key] = [storeEnv.S3_BUCKET, 'straight/big.bin'];
  return {
    put: await client.presignedPutObject(bucket, key, LINK_SECONDS),
    get: await client.presignedGetObject(bucket, key, LINK_SECONDS),
  };
}

async function linkOfLast(url: string, token: string): Promise<string> {
  const ask = async <T>(path: string) => {
    const response = await fetch(`${url}/api/documents${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return (await response.json()) as T;
  };
  const { data } = await ask<{ data: { _id: string }[] }>('?limit=1');
  return (await ask<{ downloadUrl: string }>(`/${data[0]?._id}`)).downloadUrl;
}

/** Returns the elapsed seconds, and the CPU seconds of the process that moved the file. */
async function move(what: Move, bytes = FILE_BYTES): Promise<{ seconds: number; cpu: number }> {
  const child = spawn(process.execPath, ['tests/load/baselines/move-file.ts', JSON.stringify({ ...what, bytes })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${what.how} exited with ${code}`);
  return JSON.parse(printed) as { seconds: number; cpu: number };
}

/** The maximum growth of each process in MB between the two calls. */
function watchMemory(processes: Record<string, Pick<Measured, 'residentMb'>>) {
  const entries = Object.entries(processes);
  const now = () => Object.fromEntries(entries.map(([name, one]) => [name, one.residentMb()]));
  let before: Record<string, number> = {};
  let most: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    for (const [name, mb] of Object.entries(now())) most[name] = Math.max(most[name] ?? 0, mb);
  };
  return {
    begin() {
      before = now();
      most = { ...before };
      timer = setInterval(look, SAMPLE_INTERVAL_MS);
    },
    end() {
      clearInterval(timer);
      look();
      return Object.fromEntries(entries.map(([name]) => [name, (most[name] ?? 0) - (before[name] ?? 0)]));
    },
  };
}
