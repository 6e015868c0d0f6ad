import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Socket } from 'socket.io';
import { createHandshakeLimiter, MAX_IN_FLIGHT, MAX_REJECTED } from './handshake-limiter.ts';

function createConnection() {
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  return { connection: { close } as unknown as Socket['conn'], isClosed: () => isClosed };
}

it('limits the handshakes in flight per connection', () => {
  const { begin } = createHandshakeLimiter();
  const { connection } = createConnection();
  const other = createConnection();
  const [endFirst] = Array.from({ length: MAX_IN_FLIGHT }, () => begin(connection));
  expect(begin(connection)).toBeUndefined();
  expect(begin(other.connection)).toBeDefined();
  endFirst?.(true);
  expect(begin(connection)).toBeDefined();
});

it('closes a connection after too many rejected handshakes, and does not count accepted ones', async () => {
  const { begin, reject } = createHandshakeLimiter();
  const { connection, isClosed } = createConnection();
  for (let count = 1; count < MAX_REJECTED; count += 1) {
    begin(connection)?.(true);
    begin(connection)?.(false);
  }
  await setImmediate();
  expect(isClosed()).toBe(false);
  reject(connection);
  await setImmediate();
  expect(isClosed()).toBe(true);
  expect(begin(connection)).toBeUndefined();
});
