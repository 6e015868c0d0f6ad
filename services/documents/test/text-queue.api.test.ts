import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from '@atrium/proto-events/http/documents';
import { testBucket } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { queryDatabase } from '@atrium/test-kit/query-database';
import type { ServiceProcess } from '@atrium/test-kit/start-service-process';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { createDocument, startDocuments } from './factories.ts';
import { makePdf } from './files/make-pdf.ts';
import { waitForExit, waitForWorker } from './files/workers.ts';
import { openTestEnvironment } from './start-process.ts';
import { idsOf, readTextState, searchDocuments, waitUntilIndexed } from './text-search.ts';

const uploader = buildUser();

async function request(service: ServiceProcess, path: string, file?: string) {
  const body = file === undefined ? undefined : new FormData();
  body?.set('file', new Blob([file ?? '']), 'file.txt');
  const headers = { authorization: `Bearer ${await service.tokens.sign(uploader)}` };
  const response = await fetch(
    `${service.url}/api/documents${path}`,
    body ? { method: 'POST', headers, body } : { headers },
  );
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  return response.json() as Promise<unknown>;
}

/** Prepares services that crash after they have extracted a text, before they record it. */
async function openCrashingEnvironment() {
  const crashPointsDir = mkdtempSync(join(tmpdir(), 'points-'));
  const environment = await openTestEnvironment([uploader], { CRASH_POINTS_DIR: crashPointsDir });
  return {
    ...environment,
    crashBeforeRecording: () => writeFileSync(join(crashPointsDir, 'after-reading-before-note'), ''),
  };
}

const query = (url: string | undefined, text: string) => queryDatabase(url ?? '', text);
/** Columns of a text that was never extracted. */
const NOT_EXTRACTED = `state = 'pending', text = null, folded = null, words = null, unfinished = 0, not_before = now()`;
const matches = (row: Record<string, unknown>, expected: object) =>
  Object.entries(expected).every(([name, value]) => row[name] === value);
const readText = async (url: string | undefined) =>
  (await query(url, 'select state, reason, unfinished, tries, not_before > now() as leased from object_texts'))[0];

it('retries text extraction of a killed service once its lease has expired', async () => {
  const environment = await openCrashingEnvironment();
  environment.crashBeforeRecording();
  const first = await environment.start();
  // The response may be lost in the crash.
  await request(first, '/upload', 'what was nearly read').catch(() => undefined);
  await waitFor(async () => !(await fetch(`${first.url}/livez`).catch(() => undefined)), {
    description: 'the service to exit',
  });
  expect(await readText(environment.env.DATABASE_URL)).toMatchObject({ state: 'pending', unfinished: 1, leased: true });
  await first.end('SIGKILL');
  const second = await environment.start();
  try {
    await query(environment.env.DATABASE_URL, 'update object_texts set not_before = now()');
    const search = async () => ((await request(second, '?search=nearly')) as { data: Document[] }).data[0];
    expect(await waitFor(search, { description: 'the text to be found' })).toMatchObject({ text: 'done' });
  } finally {
    await second.end('SIGTERM');
  }
});

it('gives up text extraction that crashes every service', async () => {
  const environment = await openCrashingEnvironment();
  const service = await environment.start();
  try {
    await request(service, '/upload', 'deadly');
    await waitFor(async () => (await readText(environment.env.DATABASE_URL))?.state === 'done', {
      description: 'text extraction',
    });
    await query(
      environment.env.DATABASE_URL,
      `update object_texts set state = 'pending', unfinished = 3, not_before = now()`,
    );
    const isProcessed = async () => (await readText(environment.env.DATABASE_URL))?.state !== 'pending';
    await waitFor(isProcessed, { description: 'text extraction to be given up' });
    expect(await readText(environment.env.DATABASE_URL)).toMatchObject({ state: 'failed', reason: 'killed' });
  } finally {
    await service.end('SIGTERM');
  }
});

it('retries text extraction of a killed worker, and gives up after three times', async () => {
  const started = await startDocuments();
  const { service, people } = started;
  const kill = async () => {
    const worker = await waitForWorker(process.pid);
    process.kill(worker, 'SIGKILL');
    await waitForExit(worker);
  };
  const waitForRow = (expected: object) =>
    waitFor(async () => matches((await readText(service.env.DATABASE_URL)) ?? {}, expected), {
      description: `the text to match ${JSON.stringify(expected)}`,
    });
  const retryNow = () =>
    query(service.env.DATABASE_URL, `update object_texts set not_before = now() where state = 'pending'`);
  try {
    const pages = new Uint8Array(makePdf(Array.from({ length: 5_000 }, (_, at) => [`Page ${at}`])));
    await createDocument(service, { as: people.uploader, content: pages, fileName: 'long.pdf' });
    for (const times of [1, 2, 3]) {
      await kill();
      await waitForRow({ state: 'pending', unfinished: times, tries: times });
      await retryNow();
    }
    await waitForRow({ state: 'failed', reason: 'killed' });
  } finally {
    await service.close();
  }
});

it('does not retry text extraction of a lost file until the file is restored', async () => {
  const started = await startDocuments();
  const { service, people } = started;
  const run = (text: string) => query(service.env.DATABASE_URL, text);
  try {
    const lostDocument = await createDocument(service, { as: people.uploader, content: 'what is lost' });
    await waitUntilIndexed(started, people.uploader, lostDocument._id);
    await run('update objects set missing_since = now()');
    // Newest, so it would be extracted first.
    await run(`update object_texts set ${NOT_EXTRACTED}, created_at = now() + interval '1 hour'`);
    const otherDocument = await createDocument(service, { as: people.uploader, content: 'what is not' });
    expect(await waitUntilIndexed(started, people.uploader, otherDocument._id)).toBe('done');
    expect(await run(`select unfinished, tries from object_texts where state = 'pending'`)).toEqual([
      { unfinished: 0, tries: 0 },
    ]);
    await run('update objects set missing_since = null');
    expect(await waitUntilIndexed(started, people.uploader, lostDocument._id)).toBe('done');
  } finally {
    await service.close();
  }
});

it('delays text extraction while the object store is unavailable', async () => {
  const { endpoint } = await testBucket();
  const storeProxy = await createFaultyProxy(endpoint);
  const started = await startDocuments({ S3_ENDPOINT: storeProxy.url });
  const { service, people } = started;
  const isStoreUnavailable = async () => {
    const { parts } = (await (await fetch(`${service.url}/readyz`)).json()) as { parts: Record<string, string> };
    return parts.objects !== 'ok';
  };
  try {
    const { _id } = await createDocument(service, { as: people.uploader, content: 'while it was unavailable' });
    await waitUntilIndexed(started, people.uploader, _id);
    storeProxy.cut();
    await query(service.env.DATABASE_URL, `update object_texts set ${NOT_EXTRACTED}`);
    await waitFor(isStoreUnavailable, { description: 'the store outage' });
    expect(await readTextState(started, people.uploader, _id)).toBe('pending');
    expect((await searchDocuments(started, people.uploader, 'while it was')).total).toBe(0);
    storeProxy.restore();
    // The failed claim is retried after some seconds.
    await query(service.env.DATABASE_URL, 'update object_texts set not_before = now()');
    expect(await waitUntilIndexed(started, people.uploader, _id)).toBe('done');
    expect(idsOf(await searchDocuments(started, people.uploader, 'while it was'))).toEqual([_id]);
  } finally {
    await service.close();
    await storeProxy.close();
  }
});

it('retries text extraction with growing delays while an object cannot be loaded', async () => {
  const started = await startDocuments();
  const { service, people, objects, bucket } = started;
  try {
    const { _id } = await createDocument(service, { as: people.uploader });
    await waitUntilIndexed(started, people.uploader, _id);
    const [key = ''] = await started.objectKeys();
    await objects.removeObject(bucket.bucket, key);
    await query(service.env.DATABASE_URL, `update object_texts set ${NOT_EXTRACTED}`);
    for (const [tries, minDelay] of [
      [1, 3],
      [2, 8],
      [3, 18],
    ] as const) {
      const row = async () =>
        (
          await query(
            service.env.DATABASE_URL,
            `select state, unfinished, extract(epoch from not_before - now())::float8 as delay from object_texts where tries = ${tries}`,
          )
        )[0];
      const { delay, ...rest } = await waitFor(row, { description: `try ${tries}` });
      expect(rest).toEqual({ state: 'pending', unfinished: 0 });
      expect(delay).toBeGreaterThan(minDelay);
      expect(delay).toBeLessThan(2 * minDelay + 5);
      await query(service.env.DATABASE_URL, 'update object_texts set not_before = now()');
    }
  } finally {
    await service.close();
  }
});
