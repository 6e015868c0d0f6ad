import { Socket } from 'node:net';
import { EXIT } from '../extraction.ts';
import type { FileKind } from '../file-kind.ts';
import { ExtractionError } from './fault.ts';
import { standardInput } from './input.ts';
import { readFile } from './read-file.ts';
import { createTextSink } from './text-sink.ts';

// The program of a worker: it reads one file, which is its standard input, writes its text to descriptor 3 and says by its exit code how
// that went. It is begun by run-worker.ts and by nobody else.

const [kind, characters] = process.argv.slice(2);

const service = new Socket({ fd: 3, readable: true, writable: true });
// Nobody writes there, so that it closes means that the service has gone.
service.on('close', () => process.exit(EXIT.damaged)).on('error', () => process.exit(EXIT.damaged));
service.resume();

function codeOf(error: unknown): number {
  if (error instanceof ExtractionError) return EXIT[error.why];
  // As V8 says that there is no room for a buffer or a string.
  const noRoom =
    error instanceof RangeError && /allocation failed|Invalid (array|string|typed array) /i.test(error.message);
  return noRoom ? EXIT.memory : EXIT.damaged;
}

let ended = false;
// A library that reads a damaged file may fail where nobody waits for it; once there is an answer, that is all that counts.
const fail = (error: unknown) => {
  if (!ended) process.exit(codeOf(error));
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const sink = createTextSink(Number(characters));
const code = await readFile(kind as FileKind, standardInput(), sink).then(() => EXIT.whole, codeOf);
ended = true;
if (code !== EXIT.whole && code !== EXIT.cut) process.exit(code);
service.write(sink.bytes(), () => process.exit(code));
