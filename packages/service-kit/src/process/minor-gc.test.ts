import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { triggerMinorGc } from './minor-gc.ts';

const MIB = 1024 * 1024;

it('keeps a process small while bodies pass', async () => {
  // What is read first is loaded with it.
  triggerMinorGc(Buffer.alloc(8 * MIB));
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const body = Readable.from(
    (function* () {
      for (let chunk = 0; chunk < 4_096; chunk += 1) yield Buffer.from(new Uint8Array(64 * 1024));
    })(),
    { objectMode: true },
  );
  for await (const chunk of body) {
    triggerMinorGc(chunk as Buffer);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  // V8 itself begins at 64. It gives memory back beside the work, so that what two collections found may still be there.
  expect(most).toBeLessThan(48 * MIB);
});
