import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mongo } from 'mongoose';

/** Simulated failure of a command: FerretDB's error while PostgreSQL is unavailable, a broken connection, or no response. */
type Fault = 'error 1' | 'disconnect' | 'no response';

type Command = Record<string, unknown>;
const isInsert = (command: Command) => 'insert' in command;

const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** A MongoDB protocol proxy that forwards all commands except those with a simulated failure. */
export async function startMongoProxy(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let fault: Fault | undefined;
  let isMatch = isInsert;
  let refused = 0;
  const server = createServer((near) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [near, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(near);
    let received = Buffer.alloc(0);
    near.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= HEADER_BYTES && received.length >= received.readInt32LE(0)) {
        const message = received.subarray(0, received.readInt32LE(0));
        received = received.subarray(message.length);
        if (fault === undefined || !isMatch(commandOf(message))) upstream.write(message);
        else {
          refused += 1;
          if (fault === 'disconnect') near.destroy();
          if (fault === 'error 1') near.write(errorReplyOf(message));
        }
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) })
      .href,
    refused: () => refused,
    /** Applies the failure to inserts, or to the commands that match. */
    setFault(wanted: Fault | undefined, matches: (command: Command) => boolean = isInsert) {
      fault = wanted;
      isMatch = matches;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The message body is its first section, after four bytes of flags and one byte of section kind. */
function commandOf(message: Buffer): Command {
  if (message.readInt32LE(12) !== OP_MSG || message[20] !== 0) return {};
  return mongo.BSON.deserialize(message.subarray(21, 21 + message.readInt32LE(21)));
}

function errorReplyOf(message: Buffer): Buffer {
  const body = mongo.BSON.serialize({
    ok: 0,
    errmsg: 'failed to connect to its database',
    code: 1,
    codeName: 'InternalError',
  });
  const head = Buffer.alloc(HEADER_BYTES + 5);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}
