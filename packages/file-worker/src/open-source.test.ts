import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { openSource, type WorkerLimits } from './open-source.ts';

const LIMITS: WorkerLimits = { memoryBytes: 0, timeMs: 60_000, fileBytes: 10 };
const open = (text: string) => openSource(Readable.from([text]), LIMITS, AbortSignal.timeout(LIMITS.timeMs));

it('copies a stream to a file without a name, which no crash can leave behind', async () => {
  const file = await open('0123456789');
  expect(fstatSync(file.fd)).toMatchObject({ size: 10, nlink: 0 });
  expect(file.bytes).toBe(10);
  await file[Symbol.asyncDispose]();
  expect(() => fstatSync(file.fd)).toThrow('EBADF');
});

it('shows by one byte that the stream exceeds the limit', async () => {
  await using file = await open('0123456789 and more');
  expect(file.bytes).toBe(11);
});
