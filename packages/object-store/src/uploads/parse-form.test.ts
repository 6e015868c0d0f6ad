import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import express, { type Request } from 'express';
import { parseForm } from './parse-form.ts';
import { disconnectSignal } from './request-stream.ts';

const FILE_FIELD = {
  name: 'file',
  maxFiles: 1,
  unexpectedMessage: 'elsewhere',
  tooManyMessage: 'too many',
  maxFieldBytes: 1_024,
};

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const end of cleanups.splice(0)) end();
});

/** Returns a request whose sender disconnected halfway, before it was handled. */
async function disconnectedRequest(): Promise<Request> {
  const { promise, resolve } = Promise.withResolvers<Request>();
  const app = express().post('/', (req) => resolve(req));
  const server = app.listen(0, '127.0.0.1');
  cleanups.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999\r\n\r\n--b\r\n',
  );
  const req = await promise;
  req.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => req.once('close', () => resolve()));
  socket.destroy();
  await closed;
  return req;
}

it('parseForm does not wait for a form whose sender has already disconnected', async () => {
  const form = parseForm(await disconnectedRequest(), {
    fileField: FILE_FIELD,
    onFile: async () => undefined,
    watch: () => () => undefined,
  });
  await expect(form).rejects.toThrow('The upload was interrupted');
});

it('disconnectSignal is aborted if the sender has already disconnected', async () => {
  expect(disconnectSignal(await disconnectedRequest()).aborted).toBe(true);
});
