import { fileURLToPath } from 'node:url';
import type { OpenFile } from '@atrium/file-worker/open-source';
import { runWorker as runFileWorker, type WorkerEnd } from '@atrium/file-worker/run-worker';
import { EXIT, type Extraction, type Limits, type Refusal } from './extraction.ts';
import type { FileKind } from './file-kind.ts';

const WORKER = fileURLToPath(new URL('./worker/main.ts', import.meta.url));

export type WorkerTask = { kind: FileKind; file: OpenFile; limits: Limits; signal: AbortSignal };

/** Has a file read by a process of its own, which is gone when this answers. */
export async function runWorker({ kind, file, limits, signal }: WorkerTask): Promise<Extraction> {
  const program = { path: WORKER, args: [kind, String(limits.characters)] };
  // UTF-8 takes three bytes at most for each unit of UTF-16, and NFC makes three units at most of one.
  return judge(await runFileWorker({ program, file, limits, mostBytes: 9 * limits.characters, signal }));
}

function judge(end: WorkerEnd): Extraction {
  if (end.by !== 'exit') return failed(end.by === 'unknown' ? 'damaged' : end.by);
  const { code, written } = end;
  switch (code) {
    case EXIT.whole:
    case EXIT.cut: {
      const text = written.toString();
      return text.trim() === '' ? { state: 'empty' } : { state: 'text', text, cut: code === EXIT.cut };
    }
    case EXIT.unsupported:
      return { state: 'unsupported' };
    case EXIT.damaged:
      return failed('damaged');
    case EXIT.encrypted:
      return failed('encrypted');
    case EXIT['too-long']:
      return failed('too-long');
    case EXIT.memory:
      return failed('memory');
    default:
      // A fault of the program and not of the file.
      throw new Error(`A worker that extracts text ended with ${code}`);
  }
}

const failed = (why: Refusal): Extraction => ({ state: 'failed', why });
