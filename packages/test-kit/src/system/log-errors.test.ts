import { describe, expect, it } from '@jest/globals';
import { watchLog } from './log-errors.ts';

const line = (level: number, msg: string) => JSON.stringify({ level, msg });

describe('watchLog', () => {
  it('forwards all output and collects errors of services and the gateway', () => {
    const forwarded: string[] = [];
    const { listener, errors } = watchLog({
      line: (name, text) => void forwarded.push(`${name} ${text}`),
      log: (name, text) => void forwarded.push(`${name} says ${text}`),
    });
    listener.line('users', line(30, 'ready'));
    listener.line('users', line(40, 'Event failed; retrying'));
    listener.line('users', line(50, 'Event dead-lettered'));
    listener.line('gateway', 'TypeError: uncaught');
    listener.line('postgres', 'ERROR: duplicate key value violates unique constraint');
    listener.log('chat', 'ready after 1.0 s');
    listener.log('chat', 'was ended by SIGSEGV; restarting in 0.3 s');
    expect(forwarded).toHaveLength(7);
    expect(errors()).toEqual([
      `users: ${line(50, 'Event dead-lettered')}`,
      'gateway: TypeError: uncaught',
      'chat: was ended by SIGSEGV; restarting in 0.3 s',
    ]);
  });
});
