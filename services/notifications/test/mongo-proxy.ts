import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mongo } from 'mongoose';

/** What becomes of a command: answered as by a FerretDB whose PostgreSQL is away, by a line that breaks, or never. */
export type Trouble = 'answers 1' | 'breaks' | 'is silent';

type Command = Record<string, unknown>;
const isInsert = (command: Command) => 'insert' in command;

const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** A server of MongoDB's protocol before the real one, to which it passes on everything but those commands that there is trouble with. */
export async function startMongoFront(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let trouble: Trouble | undefined;
  let isMeant = isInsert;
  let refused = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.pipe(near);
    let heard = Buffer.alloc(0);
    near.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      while (heard.length >= HEADER_BYTES && heard.length >= heard.readInt32LE(0)) {
        const message = heard.subarray(0, heard.readInt32LE(0));
        heard = heard.subarray(message.length);
        if (trouble === undefined || !isMeant(commandOf(message))) far.write(message);
        else {
          refused += 1;
          if (trouble === 'breaks') near.destroy();
          if (trouble === 'answers 1') near.write(refusalOf(message));
        }
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) })
      .href,
    refused: () => refused,
    /** From now on with inserts, or with what `meant` tells. */
    make(wanted: Trouble | undefined, meant: (command: Command) => boolean = isInsert) {
      trouble = wanted;
      isMeant = meant;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The body of a message is its first section: behind four bytes of flags and one that says so. */
function commandOf(message: Buffer): Command {
  if (message.readInt32LE(12) !== OP_MSG || message[20] !== 0) return {};
  return mongo.BSON.deserialize(message.subarray(21, 21 + message.readInt32LE(21)));
}

function refusalOf(message: Buffer): Buffer {
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
