import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';
import { requestContext } from './request-context.ts';

function logInto(lines: Record<string, unknown>[]) {
  return createLogger('notes', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
}

describe('createLogger', () => {
  it('adds the service and, inside a request, the request id and the user', () => {
    const lines: Record<string, unknown>[] = [];
    const log = logInto(lines);
    log.info('outside');
    requestContext.run({ requestId: 'r1', userId: 'u1' }, () => log.info('inside'));
    expect(lines[0]).toMatchObject({ service: 'notes', level: 30, msg: 'outside', time: expect.any(Number) });
    expect(lines[0]).not.toHaveProperty('requestId');
    expect(lines[1]).toMatchObject({ requestId: 'r1', userId: 'u1' });
  });

  it('does not add the fields of a line to the request context', () => {
    const lines: Record<string, unknown>[] = [];
    const log = logInto(lines);
    const context = { requestId: 'r1' };
    requestContext.run(context, () => {
      log.warn({ requestId: 'r2', detail: 'only in the first line' }, 'one');
      log.info('two');
    });
    expect(context).toEqual({ requestId: 'r1' });
    expect(lines[1]).not.toHaveProperty('detail');
    expect(lines[1]).toMatchObject({ requestId: 'r1' });
  });

  it('writes a message with control characters as one line without any', () => {
    const lines: string[] = [];
    const log = createLogger('notes', 'info', { write: (line) => void lines.push(line) });
    const message = 'x\n\u2028forged\u2029\u0085\u009b31m\u001b[2J\u007f\t';
    log.info({ message }, message);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(lines[0]?.endsWith('\n')).toBe(true);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message, msg: message });
  });

  it('redacts secrets', () => {
    const lines: Record<string, unknown>[] = [];
    logInto(lines).info(
      {
        password: 'hunter2',
        body: { password: 'hunter2', newPassword: 'hunter2', refreshToken: 'hunter2' },
        headers: { authorization: 'hunter2', cookie: 'hunter2' },
      },
      'signing in',
    );
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(lines[0]).toMatchObject({ password: '[redacted]' });
  });
});
