import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * Splits chunks into lines at LF only. `node:readline` also splits at CR, U+2028, and U+2029, which can be inside a
 * line of JSON or of a table. `end` returns the last line if it has no LF.
 */
export function createLineSplitter() {
  const decoder = new StringDecoder('utf8');
  let unfinished: string[] = [];
  const split = (text: string): string[] => {
    const [first = '', ...others] = text.split('\n');
    unfinished.push(first);
    const last = others.pop();
    if (last === undefined) return [];
    const lines = [unfinished.join(''), ...others];
    unfinished = [last];
    return lines;
  };
  return {
    push: (chunk: Buffer): string[] => split(decoder.write(chunk)),
    end: (): string[] => {
      const lines = split(decoder.end());
      const last = unfinished.join('');
      return last === '' ? lines : [...lines, last];
    },
  };
}

export function readLines(input: Readable, onLine: (line: string) => void, onEnd?: () => void): void {
  const splitter = createLineSplitter();
  const emit = (lines: string[]) => {
    for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  input.on('data', (chunk: Buffer) => emit(splitter.push(chunk)));
  input.once('close', () => {
    emit(splitter.end());
    onEnd?.();
  });
  // A broken pipe would end a process without a listener.
  input.once('error', () => input.destroy());
}
