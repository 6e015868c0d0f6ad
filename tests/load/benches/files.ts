import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createS3Client } from '@atrium/object-store/s3/s3-client';
import { freePort } from '@atrium/test-kit/free-port';
import { type Figure, median, note, type TimesByName } from '../figures.ts';
import type { World } from '../load-environment.ts';
import { listenerAt, type Measured } from '../processes.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 512 * MIB;
const ROUNDS = 3;
const LOOK_EVERY_MS = 20;
const LINK_SECONDS = 3_600;

type How = 'put' | 'form' | 'parts' | 'get';
type Move = { how: How; url: string; token?: string };

/**
 * How fast a file goes up and down through the gateway, against the same straight at the store, by turns in one run, and what memory
 * that takes.
 */
export async function benchFiles(world: World): Promise<Figure[]> {
  const port = await freePort();
  const gateway = await world.startGateway({ DOCUMENTS_URL: `http://127.0.0.1:${port}` });
  // No quota, as every round brings another file.
  const env = { S3_PUBLIC_URL: gateway.url, USER_STORAGE_QUOTA_BYTES: '0' };
  const documents = await world.startService('documents', 'documents', { port, env });
  try {
    const token = await world.tokenOf(0);
    const straight = await linksTo(world);
    const up = (how: 'form' | 'parts', bytes?: number) => move({ how, url: gateway.url, token }, bytes);
    // What is loaded with the first file is no file's memory.
    await up('form', MIB);
    await up('parts', 9 * MIB);
    const link = await linkOfLast(gateway.url, token);
    await move({ how: 'get', url: link }, 9 * MIB);

    const store = listenerAt(world.storeEnv.S3_ENDPOINT);
    const seconds: TimesByName = {};
    const worked: Record<string, TimesByName> = {};
    const at = { gateway, documents, store };
    const run = async (what: string, how: Move) => {
      const cpu = () => Object.fromEntries(Object.entries(at).map(([name, one]) => [name, one.cpuSeconds()]));
      const before = cpu();
      const moved = await move(how);
      note(seconds, what, moved.seconds);
      const taken = worked[what] ?? {};
      worked[what] = taken;
      note(taken, 'client', moved.cpu);
      for (const [name, now] of Object.entries(cpu())) note(taken, name, now - (before[name] ?? 0));
    };
    const grown: Record<string, number> = {};
    const watch = watchMemory(at);
    for (let round = 0; round < ROUNDS; round += 1) {
      const ups: [string, Move][] = [
        ['straight up', { how: 'put', url: straight.put }],
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
      const through = await linkOfLast(gateway.url, token);
      await run('straight down', { how: 'get', url: straight.get });
      await run('down', { how: 'get', url: through });
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
      ratio('upload in one call through the gateway, against straight at the store', 'form', 'straight up', 0.6),
      ratio(
        'upload in parts through the gateway, its completion included, against the same',
        'parts',
        'straight up',
        0.6,
      ),
      ratio('download through the gateway, against straight from the store', 'down', 'straight down', 0.85),
      ...Object.entries(worked).map(
        ([what, by]): Figure => ({
          what: `processor time of all for 512 MiB ${WAYS[what]}`,
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
          detail: `the most of ${ROUNDS}`,
        }),
      ),
    ];
  } finally {
    await Promise.all([gateway.stop(), documents.stop()]);
  }
}

const WAYS: Record<string, string> = {
  'straight up': 'straight up',
  form: 'up in one call',
  parts: 'up in parts',
  'straight down': 'straight down',
  down: 'down through the gateway',
};

const spread = (seconds: readonly number[] = []) => seconds.map((one) => one.toFixed(1)).join(', ');

/** Signed links of the store itself to one object. */
async function linksTo({ storeEnv }: World) {
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
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as T;
  };
  const { data } = await ask<{ data: { _id: string }[] }>('?limit=1');
  return (await ask<{ downloadUrl: string }>(`/${data[0]?._id}`)).downloadUrl;
}

/** Answers the seconds that it took, and those of a processor that whoever moved it took. */
async function move(what: Move, bytes = FILE_BYTES): Promise<{ seconds: number; cpu: number }> {
  const child = spawn(process.execPath, ['tests/load/baselines/move-file.ts', JSON.stringify({ ...what, bytes })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${what.how} ended with ${code}`);
  return JSON.parse(printed) as { seconds: number; cpu: number };
}

/** By how many MB each process grew at most between the two calls. */
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
      timer = setInterval(look, LOOK_EVERY_MS);
    },
    end() {
      clearInterval(timer);
      look();
      return Object.fromEntries(entries.map(([name]) => [name, (most[name] ?? 0) - (before[name] ?? 0)]));
    },
  };
}
