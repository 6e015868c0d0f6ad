import { describe, expect, it } from '@jest/globals';
import { prettyLine } from './log-line.ts';

const plain = (_style: unknown, text: string): string => text;
const at = new Date(2026, 10, 21, 5, 53, 11).getTime();

describe('a line of the log', () => {
  it('shows pino’s JSON as time, level, message and the rest', () => {
    const line = JSON.stringify({ level: 30, time: at, service: 'auth', msg: 'made a signing key', kid: 'iwA' });
    expect(prettyLine(line, plain)).toBe('05:53:11 info made a signing key kid=iwA');
  });

  it('shows a request in one glance', () => {
    const req = { method: 'GET', url: '/api/projects' };
    const line = JSON.stringify({ level: 40, time: at, msg: 'slow', req, res: { statusCode: 200 }, responseTime: 812 });
    expect(prettyLine(line, plain)).toBe('05:53:11 warn slow GET /api/projects 200 812 ms');
  });

  it('shows the stack of a fault below it', () => {
    const line = JSON.stringify({
      level: 50,
      time: at,
      msg: 'failed',
      err: { message: 'no', stack: 'Error: no\n  at here' },
    });
    expect(prettyLine(line, plain)).toBe('05:53:11 error failed\n    Error: no\n      at here');
  });

  it('leaves alone what is not a log entry', () => {
    for (const line of ['Server ready', '{"half": ', '{"no":"level"}', '[1]'])
      expect(prettyLine(line, plain)).toBe(line);
  });
});
