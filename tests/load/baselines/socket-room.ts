import { createAdapter } from '@socket.io/redis-adapter';
import express from 'express';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';

/** Baseline for delivery: a bare socket.io room with the Redis adapter that receives messages over HTTP. */
const pub = new Redis(process.env.REDIS_URL ?? '');
const app = express();
app.disable('x-powered-by');
app.get('/', (_req, res) => void res.end('ready'));
app.post('/messages', express.json(), (req, res) => {
  const message = { content: req.body.content, createdAt: new Date().toISOString() };
  io.to('room').emit('message:new', { message });
  res.status(201).json(message);
});

const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
const io = new Server(server, {
  transports: ['websocket'],
  adapter: createAdapter(pub, pub.duplicate()),
  perMessageDeflate: false,
});
io.on('connection', (socket) => void socket.join('room'));
