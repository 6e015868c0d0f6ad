import { createServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';

/** Baseline for delivery: a bare socket.io room with the Redis adapter that echoes messages. */
const pub = new Redis(process.env.REDIS_URL ?? '');
const server = createServer((_req, res) => res.end('ready'));
const io = new Server(server, {
  transports: ['websocket'],
  adapter: createAdapter(pub, pub.duplicate()),
  perMessageDeflate: false,
});

io.on('connection', (socket) => {
  void socket.join('room');
  socket.on('send', (content: string, ack: () => void) => {
    socket.to('room').emit('message:new', { message: { content, createdAt: new Date().toISOString() } });
    ack();
  });
});

server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
