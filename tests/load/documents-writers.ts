import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/tools/seed/seeded-random';
import { createWriter } from '@atrium/tools/seed/vocabulary';
import { recordTime, type TimesByName } from './figures.ts';

const WRITERS = 8;
/** Pause after each write. In total, there are about 15 writes per second, three of them files with text to extract. */
const PAUSE_MS = 500;

type WriterParams = { url: string; tokenOf: (index: number) => Promise<string>; users: readonly { _id: string }[] };

/**
 * Starts users who continuously upload, rename, share, and delete documents. The number of documents stays constant.
 */
export function startDocumentWriters(workspace: WriterParams, times: TimesByName): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    writeRepeatedly(workspace, times, { index, signal: stopping.signal }),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all(writers);
    },
  };
}

async function writeRepeatedly(
  { url, tokenOf, users }: WriterParams,
  times: TimesByName,
  { index, signal }: { index: number; signal: AbortSignal },
): Promise<void> {
  const random = createSeededRandom(index + 1);
  const writer = createWriter(random);
  const authorization = `Bearer ${await tokenOf(index + 1)}`;
  const write = async (name: string, path: string, init: RequestInit): Promise<{ _id: string }> => {
    const startedAt = performance.now();
    const response = await fetch(`${url}/api/documents${path}`, init);
    const text = await response.text();
    recordTime(times, name, performance.now() - startedAt);
    if (!response.ok) throw new Error(`${name} returned ${response.status}: ${text.slice(0, 300)}`);
    await delay(PAUSE_MS);
    return text === '' ? { _id: '' } : (JSON.parse(text) as { _id: string });
  };
  const json = (method: string, body: unknown): RequestInit => ({
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  while (!signal.aborted) {
    const form = new FormData();
    form.set('visibility', random.pick(['private', 'public']));
    form.set('file', new Blob([writer.text(50 + random.integerBelow(800))]), `${writer.word()} ${writer.word()}.txt`);
    const { _id } = await write('upload', '/upload', { method: 'POST', headers: { authorization }, body: form });
    await write('rename', `/${_id}`, json('PATCH', { name: `${writer.word()} ${writer.word()}` }));
    await write('describe', `/${_id}`, json('PATCH', { description: writer.text(12), tags: ['draft'] }));
    await write('share', `/${_id}/share`, json('POST', { userIds: [random.pick(users)._id] }));
    await write('delete', `/${_id}`, { method: 'DELETE', headers: { authorization } });
  }
}
