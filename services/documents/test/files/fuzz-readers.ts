import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { findFileKind } from '../../src/extraction/extraction.ts';
import { readFile } from '../../src/extraction/worker/read-file.ts';
import { createTextSink } from '../../src/extraction/worker/text-sink.ts';
import { mutate } from './mutate.ts';

// Runs the worker's code on many corrupted copies of a file in one process, which is faster than one worker per copy.
// Prints how many copies could be read, how many were rejected, and which rounds timed out.
const [path = '', type = '', rounds = '1', seed = '1'] = process.argv.slice(2);
const TIMEOUT_MS = 20_000;

// A worker would exit; here, the round continues and has a result.
process.on('unhandledRejection', () => undefined);

const kind = findFileKind(type);
if (!kind) throw new Error(`Unsupported type ${type}`);
const random = createSeededRandom(Number(seed));
const original = readFileSync(path);
const folder = mkdtempSync(join(tmpdir(), 'atrium-fuzz-'));
const outcome = { read: 0, rejected: 0, timedOutRounds: [] as number[] };
for (let round = 0; round < Number(rounds); round += 1) {
  const file = join(folder, 'file');
  const bytes = mutate(original, random);
  writeFileSync(file, bytes);
  const fd = openSync(file, 'r');
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, 'timeout');
  });
  const reading = readFile(kind, { fd, size: bytes.length }, createTextSink(100_000)).then(
    () => 'read' as const,
    () => 'rejected' as const,
  );
  const result = await Promise.race([reading, timeout]);
  clearTimeout(timer);
  if (result === 'timeout') outcome.timedOutRounds.push(round);
  else outcome[result] += 1;
  closeSync(fd);
}
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
