import { describe, expect, it } from '@jest/globals';
import { requestContext } from '../http/request-context.ts';
import { createLogger } from './logger.ts';

function logInto(lines: Record<string, unknown>[]) {
  return createLogger('notes', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
}

describe('a log line', () => {
  it('names the service, and inside a request the request and the person', () => {
    const lines: Record<string, unknown>[] = [];
    const log = logInto(lines);
    log.info('outside');
    requestContext.run({ requestId: 'r1', userId: 'u1' }, () => log.info('inside'));
    expect(lines[0]).toMatchObject({ service: 'notes', level: 30, msg: 'outside', time: expect.any(Number) });
    expect(lines[0]).not.toHaveProperty('requestId');
    expect(lines[1]).toMatchObject({ requestId: 'r1', userId: 'u1' });
  });

  it('leaves nothing of itself in the request', () => {
    const lines: Record<string, unknown>[] = [];
    const log = logInto(lines);
    const context = { requestId: 'r1' };
    requestContext.run(context, () => {
      log.warn({ requestId: 'another', detail: 'of the first line' }, 'one');
      log.info('two');
    });
    expect(context).toEqual({ requestId: 'r1' });
    expect(lines[1]).not.toHaveProperty('detail');
    expect(lines[1]).toMatchObject({ requestId: 'r1' });
  });

  it('never holds a secret', () => {
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
