import { Socket } from 'node:net';
import { EXIT, ExtractionError, type FileKind } from '../extraction.ts';
import { standardInput } from './input.ts';
import { readFile } from './read-file.ts';
import { createTextSink } from './text-sink.ts';

// Reads a file from standard input, writes its text to descriptor 3, and reports the result as its exit code.

const [kind, maxCharacters] = process.argv.slice(2);

const channel = new Socket({ fd: 3, readable: true, writable: true });
// The service sends nothing, so the channel closes only when the service has exited.
channel.on('close', () => process.exit(EXIT.damaged)).on('error', () => process.exit(EXIT.damaged));
channel.resume();

function toExitCode(error: unknown): number {
  if (error instanceof ExtractionError) return EXIT[error.reason];
  // V8's errors for failed allocations of buffers and strings.
  const isOutOfMemory =
    error instanceof RangeError && /allocation failed|Invalid (array|string|typed array) /i.test(error.message);
  return isOutOfMemory ? EXIT.memory : EXIT.damaged;
}

let isDone = false;
// Libraries may leave rejections of damaged files unhandled; once there is a result, those are ignored.
const fail = (error: unknown) => {
  if (!isDone) process.exit(toExitCode(error));
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const sink = createTextSink(Number(maxCharacters));
const code = await readFile(kind as FileKind, standardInput(), sink).then(() => EXIT.complete, toExitCode);
isDone = true;
if (code !== EXIT.complete && code !== EXIT.truncated) process.exit(code);
channel.write(sink.bytes(), () => process.exit(code));
