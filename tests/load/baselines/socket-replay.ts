import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Server } from 'socket.io';
import type { Recording } from '../live/thin/recording.ts';

/** Baseline for live updates: a bare socket.io server that sends recorded frames to rooms, as `GET /replay` asks. */
const { rooms, frames } = JSON.parse(readFileSync(process.env.RECORDING ?? '', 'utf8')) as Recording;
const roomsByClient = new Map<number, string[]>();
for (const [room, clients] of rooms.entries())
  for (const client of clients) {
    const joined = roomsByClient.get(client);
    if (joined) joined.push(String(room));
    else roomsByClient.set(client, [String(room)]);
  }

const server = createServer(async (req, res) => {
  if (req.url === '/replay') await replay();
  res.end('done');
});
const io = new Server(server, {
  transports: ['websocket'],
  serveClient: false,
  perMessageDeflate: false,
  pingInterval: 10_000,
  pingTimeout: 10_000,
});

io.on('connection', (socket) => {
  const { client } = socket.handshake.auth as { client: number };
  void socket.join(roomsByClient.get(client) ?? []);
});

async function replay(): Promise<void> {
  const startedAt = performance.now();
  for (const { atMs, room, event, payload } of frames) {
    const waitMs = atMs - (performance.now() - startedAt);
    if (waitMs > 0) await delay(waitMs);
    io.to(String(room)).emit(event, payload);
  }
}

server.listen(Number(process.env.PORT), '127.0.0.1');
