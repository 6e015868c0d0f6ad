import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type {
  ChatClientEvents,
  ChatServerEvents,
  LiveClientEvents,
  LiveServerEvents,
} from '@atrium/proto-events/realtime';
import { type Namespace, Server } from 'socket.io';

type Watch = LiveClientEvents['subscribe'];
type Watched = Parameters<Watch>[0];
type Answer = Parameters<Parameters<Watch>[1]>[0];

/** Of `http://localhost`, which is jsdom's own origin. */
const ORIGIN_PORT = 80;

/**
 * The two namespaces of chat on a free port, and the sockets of the web app sent to it: they ask their own origin, which jsdom has none
 * of. `answer` is what `watch` is acknowledged with.
 */
export async function startLive(answer: (watched: Watched) => Answer) {
  const http = createServer();
  const io = new Server(http);
  const live: Namespace<LiveClientEvents, LiveServerEvents> = io.of('/live');
  const chat: Namespace<ChatClientEvents, ChatServerEvents> = io.of('/chat');
  const watched: Watched[] = [];
  chat.on('connection', () => undefined);
  live.on('connection', (socket) => {
    socket.on('subscribe', (payload, acknowledge) => {
      watched.push(payload);
      acknowledge(answer(payload));
    });
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const { port } = http.address() as AddressInfo;
  const { createConnection } = net;
  const toPort = (options: net.TcpNetConnectOpts, onConnect?: () => void) =>
    createConnection(
      Number(options.port) === ORIGIN_PORT ? { ...options, host: '127.0.0.1', port } : options,
      onConnect,
    );
  Object.assign(net, { createConnection: toPort });
  const stop = async () => {
    Object.assign(net, { createConnection });
    await io.close();
  };
  return { live, chat, watched, stop };
}
