import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLineSplitter, readLines } from './read-lines.ts';

const fragment = fc.constantFrom('a', 'é', '😀', '\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '');
const text = fc.array(fragment, { maxLength: 20 }).map((parts) => parts.join(''));

describe('createLineSplitter', () => {
  it('splits at LF only, wherever chunks are divided', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (input, size) => {
        const bytes = Buffer.from(input);
        const splitter = createLineSplitter();
        const lines: string[] = [];
        for (let at = 0; at < bytes.length; at += size) lines.push(...splitter.push(bytes.subarray(at, at + size)));
        lines.push(...splitter.end());
        expect(lines).toEqual(
          input.endsWith('\n') || input === '' ? input.split('\n').slice(0, -1) : input.split('\n'),
        );
      }),
    );
  });
});

describe('readLines', () => {
  it('reads lines until the input closes, without a CR before LF', async () => {
    const input = new PassThrough();
    const lines: string[] = [];
    const ended = new Promise<void>((resolve) => readLines(input, (line) => lines.push(line), resolve));
    input.write('one\u2028still one\r\ntwo\rstill two\n\nlast');
    input.end();
    await ended;
    expect(lines).toEqual(['one\u2028still one', 'two\rstill two', '', 'last']);
  });
});
