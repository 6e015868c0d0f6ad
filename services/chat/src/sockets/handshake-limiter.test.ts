import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Socket } from 'socket.io';
import { createHandshakes, MOST_REFUSED, MOST_UNDER_WAY } from './handshake-limiter.ts';

function aConnection() {
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  return { connection: { close } as unknown as Socket['conn'], isClosed: () => isClosed };
}

it('looks at a handful of handshakes of one connection at a time, and at others whatever that one does', () => {
  const { begin } = createHandshakes();
  const [{ connection }, other] = [aConnection(), aConnection()];
  const [first] = Array.from({ length: MOST_UNDER_WAY }, () => begin(connection));
  expect(begin(connection)).toBeUndefined();
  expect(begin(other.connection)).toBeDefined();
  first?.(true);
  expect(begin(connection)).toBeDefined();
});

it('closes a connection at the last refusal that it may have, and lets in as many as are good', async () => {
  const { begin, refuse } = createHandshakes();
  const { connection, isClosed } = aConnection();
  for (let at = 1; at < MOST_REFUSED; at += 1) {
    begin(connection)?.(true);
    begin(connection)?.(false);
  }
  await setImmediate();
  expect(isClosed()).toBe(false);
  refuse(connection);
  await setImmediate();
  expect(isClosed()).toBe(true);
  expect(begin(connection)).toBeUndefined();
});
