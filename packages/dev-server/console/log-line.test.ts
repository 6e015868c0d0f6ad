import { describe, expect, it } from '@jest/globals';
import { createLineReader, isOrdinaryRequest } from './log-stream.ts';

const read = createLineReader(false);
const time = new Date(2026, 10, 21, 5, 53, 11).getTime();

describe('createLineReader', () => {
  it('formats pino JSON as time, level, message, and other fields', () => {
    const line = JSON.stringify({ level: 30, time, service: 'auth', msg: 'made a signing key', kid: 'iwA' });
    expect(read(line)).toBe('[05:53:11] INFO: made a signing key {"kid":"iwA"}');
  });

  it('prints the stack of an error below the line', () => {
    const err = { type: 'Error', message: 'no', stack: 'Error: no\n  at here' };
    const lines = read(JSON.stringify({ level: 50, time, msg: 'failed', err })).split('\n');
    expect(lines[0]).toMatch(/^\[05:53:11\] ERROR: failed/);
    expect(lines.map((line) => line.trim())).toEqual(expect.arrayContaining(['Error: no', 'at here']));
  });

  it('escapes control characters', () => {
    const forged = 'x\n[05:53:11] INFO: forged\u2028\u2029\r\u0085\u009b31m\u001b[2J\u0007\u007f';
    const entry = { level: 50, time, msg: forged, clientError: { message: forged, stack: forged } };
    for (const err of [undefined, { type: 'Error', message: forged, stack: forged }]) {
      const lines = read(JSON.stringify({ ...entry, [forged]: 1, err })).split('\n');
      expect(lines.filter((line) => line.startsWith('[05:53:11]'))).toHaveLength(1);
      for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }
    expect(read('raw \u009b31m\u2028\u001b[31m\ttab')).toBe('raw \\u009b31m\\u2028\\u001b[31m\ttab');
  });

  it('leaves lines other than pino JSON unchanged', () => {
    for (const line of ['Server ready', '{"level":', '{"half": ', '{"no":"level"}', '[1]', '  indented'])
      expect(read(line)).toBe(line);
  });
});

describe('isOrdinaryRequest', () => {
  it('returns true only for requests without an error', () => {
    const line = (level: number, msg: string) => JSON.stringify({ level, time, service: 'auth', status: 200, msg });
    expect(isOrdinaryRequest(line(30, 'request'))).toBe(true);
    expect(isOrdinaryRequest(line(40, 'request'))).toBe(false);
    expect(isOrdinaryRequest(line(30, 'ready'))).toBe(false);
    expect(isOrdinaryRequest('Server ready')).toBe(false);
  });
});
