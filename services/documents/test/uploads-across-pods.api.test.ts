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
import { beginUpload, callUploads, putPart } from './upload-parts.ts';

const MIB = 1024 * 1024;
const uploader = buildUser();
const content = randomBytes(40 * MIB).fill(0, 0, 16);
const sha256 = createHash('sha256').update(content).digest('hex');

type Environment = Awaited<ReturnType<typeof openTestEnvironment>>;
type Pod = Awaited<ReturnType<Environment['start']>>;
const pods: Pod[] = [];
const startPod = async (environment: Environment, podEnv?: Record<string, string>) => {
  const pod = await environment.start(podEnv);
  pods.push(pod);
  return pod;
};
afterEach(() => Promise.all(pods.splice(0).map((pod) => pod.end('SIGKILL'))));

async function sendHalfPart(pod: Pod, upload: DocumentUpload, number: number): Promise<void> {
  const socket = connect(Number(new URL(pod.url).port), '127.0.0.1').on('error', () => undefined);
  const token = await pod.tokens.sign(uploader);
  const head = `PUT /api/documents/uploads/${upload._id}/parts/${number} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${upload.partBytes}\r\n\r\n`;
  socket.write(head);
  await new Promise((resolve) => socket.write(content.subarray(0, upload.partBytes / 2), resolve));
}

it('an upload in parts uses any pod, resumes after a crash, and creates one document for concurrent completions', async () => {
  const environment = await openTestEnvironment([uploader]);
  const crashedPod = await startPod(environment);
  const secondPod = await startPod(environment);
  const as = uploader;
  const upload = await beginUpload(crashedPod, { as, content });
  expect(await putPart(crashedPod, { as, upload, content, number: 1 })).toBe(204);
  expect(await putPart(secondPod, { as, upload, content, number: 2 })).toBe(204);
  await sendHalfPart(crashedPod, upload, 3);
  await crashedPod.end('SIGKILL');

  const resumed = (await callUploads<DocumentUpload>(secondPod, 'GET', `/${upload._id}`, { as })).body;
  expect(resumed.parts).toEqual([1, 2]);
  const thirdPod = await startPod(environment);
  for (const number of [3, 4, 5])
    expect(await putPart(number % 2 ? thirdPod : secondPod, { as, upload, content, number })).toBe(204);

  const complete = (pod: Pod) => callUploads<Document>(pod, 'POST', `/${upload._id}/complete`, { as });
  const responses = await Promise.all([complete(secondPod), complete(thirdPod), complete(thirdPod)]);
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  for (const { body } of responses) expect(body).toMatchObject({ size: content.length, sha256 });
  const documents = await queryDatabase(environment.env.DATABASE_URL, 'select id, object_key from documents');
  expect(documents.map(({ id }) => id)).toEqual([responses[0]?.body._id]);
  const objects = await queryDatabase(environment.env.DATABASE_URL, 'select object_key, reference_count from objects');
  expect(objects).toEqual([{ object_key: documents[0]?.object_key, reference_count: 1 }]);
});

it('an upload in parts creates its document after a pod crashed before or after recording it', async () => {
  const crashPointsDir = mkdtempSync(join(tmpdir(), 'atrium-points-'));
  const environment = await openTestEnvironment([uploader]);
  const as = uploader;
  const bytes = content.subarray(0, 9 * MIB);
  const livePod = await startPod(environment);
  for (const point of ['after-upload-before-commit', 'after-commit-before-response']) {
    // Not the live pod: its queues would reach the points as well, and crash it instead.
    const crashingPod = await startPod(environment, { CRASH_POINTS_DIR: crashPointsDir });
    const upload = await beginUpload(crashingPod, { as, content: bytes });
    for (const number of [1, 2]) expect(await putPart(crashingPod, { as, upload, content: bytes, number })).toBe(204);
    writeFileSync(join(crashPointsDir, point), '');
    await expect(callUploads(crashingPod, 'POST', `/${upload._id}/complete`, { as })).rejects.toThrow();
    expect(existsSync(join(crashPointsDir, point))).toBe(false);
    const { status, body } = await callUploads<Document>(livePod, 'POST', `/${upload._id}/complete`, { as });
    expect({ status, size: body.size }).toEqual({ status: 201, size: 9 * MIB });
  }
  // The same content twice is one object.
  const objects = await queryDatabase(environment.env.DATABASE_URL, 'select reference_count from objects');
  expect(objects).toEqual([{ reference_count: 2 }]);
  rmSync(crashPointsDir, { recursive: true });
});
