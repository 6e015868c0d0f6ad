import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentUpload } from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { buildUser } from '@atrium/test-kit/build-user';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { afterEach, expect, it } from '@jest/globals';
import { openTestEnvironment } from './start-process.ts';
import { ask, begin, put } from './upload-parts.ts';

const MIB = 1024 * 1024;
const person = buildUser();
const content = randomBytes(40 * MIB).fill(0, 0, 16);
const sha256 = createHash('sha256').update(content).digest('hex');

type Environment = Awaited<ReturnType<typeof openTestEnvironment>>;
type Pod = Awaited<ReturnType<Environment['start']>>;
const pods: Pod[] = [];
const startPod = async (place: Environment) => {
  const pod = await place.start();
  pods.push(pod);
  return pod;
};
afterEach(() => Promise.all(pods.splice(0).map((pod) => pod.end('SIGKILL'))));

/** Sends half of a part. */
async function sendHalfPart(pod: Pod, upload: DocumentUpload, number: number): Promise<void> {
  const socket = connect(Number(new URL(pod.url).port), '127.0.0.1').on('error', () => undefined);
  const token = await pod.tokens.sign(person);
  const head = `PUT /api/documents/uploads/${upload._id}/parts/${number} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${upload.partBytes}\r\n\r\n`;
  socket.write(head);
  await new Promise((resolve) => socket.write(content.subarray(0, upload.partBytes / 2), resolve));
}

it('accepts parts on any pod, resumes after a crash, and creates one document for concurrent completions', async () => {
  const place = await openTestEnvironment([person]);
  const crashedPod = await startPod(place);
  const secondPod = await startPod(place);
  const as = person;
  const upload = await begin(crashedPod, { as, content });
  expect(await put(crashedPod, { as, upload, content, number: 1 })).toBe(204);
  expect(await put(secondPod, { as, upload, content, number: 2 })).toBe(204);
  await sendHalfPart(crashedPod, upload, 3);
  await crashedPod.end('SIGKILL');

  const resumed = (await ask<DocumentUpload>(secondPod, 'GET', `/${upload._id}`, { as })).body;
  expect(resumed.parts).toEqual([1, 2]);
  const third = await startPod(place);
  for (const number of [3, 4, 5])
    expect(await put(number % 2 ? third : secondPod, { as, upload, content, number })).toBe(204);

  const complete = (pod: Pod) => ask<Document>(pod, 'POST', `/${upload._id}/complete`, { as });
  const responses = await Promise.all([complete(secondPod), complete(third), complete(third)]);
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  for (const { body } of responses) expect(body).toMatchObject({ size: content.length, sha256 });
  const documents = await queryDatabase(place.env.DATABASE_URL, 'select id, object_key from documents');
  expect(documents.map(({ id }) => id)).toEqual([responses[0]?.body._id]);
  const objects = await queryDatabase(place.env.DATABASE_URL, 'select object_key, reference_count from objects');
  expect(objects).toEqual([{ object_key: documents[0]?.object_key, reference_count: 1 }]);
});

it('creates the document after a pod crashed between object and record, or after the record', async () => {
  const points = mkdtempSync(join(tmpdir(), 'atrium-points-'));
  const place = await openTestEnvironment([person], { CRASH_POINTS_DIR: points });
  const as = person;
  const bytes = content.subarray(0, 9 * MIB);
  const livePod = await startPod(place);
  for (const point of ['after-upload-before-commit', 'after-commit-before-response']) {
    const crashingPod = await startPod(place);
    const upload = await begin(crashingPod, { as, content: bytes });
    for (const number of [1, 2]) expect(await put(crashingPod, { as, upload, content: bytes, number })).toBe(204);
    writeFileSync(join(points, point), '');
    await expect(ask(crashingPod, 'POST', `/${upload._id}/complete`, { as })).rejects.toThrow();
    expect(existsSync(join(points, point))).toBe(false);
    const { status, body } = await ask<Document>(livePod, 'POST', `/${upload._id}/complete`, { as });
    expect({ status, size: body.size }).toEqual({ status: 201, size: 9 * MIB });
  }
  // The same content twice is one object.
  const objects = await queryDatabase(place.env.DATABASE_URL, 'select reference_count from objects');
  expect(objects).toEqual([{ reference_count: 2 }]);
  rmSync(points, { recursive: true });
});
