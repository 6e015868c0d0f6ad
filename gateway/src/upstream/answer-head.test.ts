import { describe, expect, it } from '@jest/globals';
import { bodyLength, readAnswerHead } from './answer-head.ts';

const head = (...lines: string[]) => readAnswerHead(lines.join('\r\n'));

describe('the head of an answer', () => {
  it('is its status and its headers', () => {
    const found = head('HTTP/1.1 206 Partial Content', 'Content-Length: 7', 'ETag:"a"  ', 'X-Empty:');
    expect(found?.status).toBe(206);
    expect({ ...found?.headers }).toEqual({ 'content-length': '7', etag: '"a"', 'x-empty': '' });
    expect(head('HTTP/1.1 200', 'content-length: 0')?.status).toBe(200);
  });

  it.each([
    ['another protocol', ['HTTP/1.0 200 OK']],
    ['an answer that is not the last', ['HTTP/1.1 100 Continue']],
    ['no status', ['HTTP/1.1 OK']],
    ['a line that goes on', ['HTTP/1.1 200 OK', 'a: b', ' c']],
    ['a name with a space', ['HTTP/1.1 200 OK', 'content-length : 3']],
    ['no name', ['HTTP/1.1 200 OK', 'nonsense']],
    ['two lengths', ['HTTP/1.1 200 OK', 'content-length: 3', 'Content-Length: 4']],
    ['a line end of one character', ['HTTP/1.1 200 OK', 'a: b\nc: d']],
    ['nothing', ['']],
  ])('is not believed with %s', (_what, lines) => {
    expect(head(...lines)).toBeUndefined();
  });
});

describe('the length of a body', () => {
  const of = (status: number, headers: Record<string, string>, method = 'GET') =>
    bodyLength({ status, headers }, method);

  it('is what the head says, and nothing where there is none', () => {
    expect(of(200, { 'content-length': '12' })).toBe(12);
    expect(of(200, { 'content-length': '12' }, 'HEAD')).toBe(0);
    expect(of(304, { 'content-length': '12' })).toBe(0);
  });

  it('is unknown where it comes in pieces, to the end, or by a number that is none', () => {
    expect(of(200, { 'transfer-encoding': 'chunked' })).toBeUndefined();
    expect(of(200, { 'content-length': '3', 'transfer-encoding': 'chunked' })).toBeUndefined();
    expect(of(200, {})).toBeUndefined();
    for (const length of ['-1', '1e3', '0x10', '3, 3', ''])
      expect(of(200, { 'content-length': length })).toBeUndefined();
  });
});
