import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, json } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const MIB = 1024 * 1024;
const FILE = randomBytes(9 * MIB + 17);
const head = (length: number, ...more: string[]) =>
  ['HTTP/1.1 200 OK', `Content-Length: ${length}`, 'Content-Disposition: attachment', ...more, '', ''].join('\r\n');

/** A store that does as it is told, also what no good one does. */
let answer: (socket: Socket, request: string) => void;
const connections = new Set<Socket>();
let opened = 0;
const store = createServer((socket) => {
  opened += 1;
  connections.add(socket.on('close', () => connections.delete(socket)).on('error', () => undefined));
  let asked = '';
  socket.on('data', (chunk) => {
    asked += chunk.toString('latin1');
    if (!asked.endsWith('\r\n\r\n')) return;
    const request = asked;
    asked = '';
    answer(socket, request);
  });
});

let gateway: TestGateway;
beforeAll(async () => {
  store.listen(0, '127.0.0.1');
  await once(store, 'listening');
  const { port } = store.address() as AddressInfo;
  gateway = await startTestGateway({
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'atrium',
    UPSTREAM_TIMEOUT_SECONDS: '1',
  });
});
afterEach(() => {
  for (const socket of connections) socket.destroy();
  opened = 0;
});
afterAll(async () => {
  await gateway.close();
  store.close();
});

const PATH = '/atrium/documents/a?X-Amz-Signature=1';
const read = (headers: Record<string, string> = {}, method = 'GET') =>
  ask(gateway.url, { path: PATH, headers, method });
const shaOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a file', () => {
  it('comes whole, with the head in pieces, by one connection after the other', async () => {
    const requests: string[] = [];
    answer = async (socket, request) => {
      requests.push(request);
      const first = head(FILE.length, 'Server: MinIO', 'x-amz-request-id: 1');
      for (const part of [first.slice(0, 9), first.slice(9, -2), first.slice(-2)]) {
        socket.write(part);
        await pause(5);
      }
      socket.write(FILE);
    };
    for (let round = 0; round < 3; round += 1) {
      const { status, headers, body } = await read({ range: 'bytes=0-', cookie: 'a=b', 'x-other': '1' });
      expect({ status, sha: shaOf(body) }).toEqual({ status: 200, sha: shaOf(FILE) });
      expect(headers['content-length']).toBe(String(FILE.length));
      expect(headers.server).toBeUndefined();
      expect(headers['x-amz-request-id']).toBeUndefined();
    }
    expect(opened).toBe(1);
    expect(requests[0]).toMatch(/^GET \/atrium\/documents\/a\?X-Amz-Signature=1 HTTP\/1\.1\r\n/);
    expect(requests[0]).toMatch(/\r\nrange: bytes=0-\r\n/);
    expect(requests[0]).not.toMatch(/cookie|x-other|connection/i);
  });

  it('waits for whoever reads it slowly, longer than the store may be silent', async () => {
    answer = (socket) => socket.end(Buffer.concat([Buffer.from(head(FILE.length, 'Connection: close')), FILE]));
    const [response] = await once(get(`${gateway.url}${PATH}`, { agent: false }), 'response');
    response.pause();
    await pause(1_500);
    const chunks: Buffer[] = await response.toArray();
    expect(shaOf(Buffer.concat(chunks))).toBe(shaOf(FILE));
  });

  it('is its head alone where that was asked for, and nothing where it is as it was', async () => {
    answer = (socket, request) =>
      socket.write(request.startsWith('HEAD') ? head(FILE.length) : 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n');
    const only = await read({}, 'HEAD');
    expect(only).toMatchObject({ status: 200, headers: { 'content-length': String(FILE.length) } });
    expect(only.body).toHaveLength(0);
    expect(await read({ 'if-none-match': '"a"' })).toMatchObject({ status: 304, headers: { etag: '"a"' } });
    expect(opened).toBe(1);
  });

  it('comes by a new connection where the one that was kept has ended meanwhile', async () => {
    answer = (socket) => {
      socket.write(head(2));
      socket.write('ab');
    };
    expect((await read()).body.toString()).toBe('ab');
    // Only once it is used again, as a store does that lets go of it in that moment.
    const before = answer;
    answer = (socket, request) => {
      if (opened === 1) socket.destroy();
      else before(socket, request);
    };
    expect((await read()).body.toString()).toBe('ab');
    expect(opened).toBe(2);
  });

  it('in pieces of a length of their own comes, too', async () => {
    answer = (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n');
    expect(await read()).toMatchObject({ status: 200, body: Buffer.from('abcde') });
  });
});

describe('what is not a whole file', () => {
  it('never looks like one', async () => {
    for (const bytes of ['abc', 'abcdefghijk']) {
      answer = (socket) => {
        socket.write(head(10));
        socket.write(bytes);
        setTimeout(() => socket.destroy(), 50);
      };
      await expect(read()).rejects.toThrow();
    }
  });

  it('is no answer: nothing, nonsense, an end before the head, a store that says nothing', async () => {
    const answers: ((socket: Socket) => void)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.write('SSH-2.0-OpenSSH\r\n\r\n'),
      (socket) => socket.end('HTTP/1.1 200 OK\r\n'),
      () => undefined,
    ];
    for (const one of answers) {
      answer = one;
      const refused = await read();
      expect(refused.status).toBe(503);
      expect(json(refused)).toMatchObject({ code: 'unavailable' });
    }
  });

  it('is a refusal of the store, whose words are not passed on, and after which its connection is not used again', async () => {
    answer = (socket) => {
      const words = '<Error><BucketName>secret</BucketName></Error>';
      socket.write(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${words.length}\r\n\r\n${words}`);
    };
    const refused = await read();
    expect(refused.status).toBe(403);
    expect(refused.body.toString()).not.toContain('secret');
    await waitFor(async () => connections.size === 0, { what: 'the connection to go' });
  });
});

it('lets go of the store when whoever asked goes away', async () => {
  answer = (socket) => {
    socket.write(head(FILE.length));
    socket.write(FILE.subarray(0, MIB));
  };
  const request = get(`${gateway.url}${PATH}`, { agent: false });
  request.on('error', () => undefined);
  const [response] = await once(request, 'response');
  response.on('error', () => undefined);
  request.destroy();
  await waitFor(async () => connections.size === 0, { what: 'the connection to go' });
});
