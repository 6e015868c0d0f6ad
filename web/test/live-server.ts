import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type {
  ChatClientEvents,
  ChatServerEvents,
  LiveClientEvents,
  LiveServerEvents,
} from '@atrium/proto-events/realtime';
import { type Namespace, Server } from 'socket.io';

type Subscribe = LiveClientEvents['subscribe'];
type Subscription = Parameters<Subscribe>[0];
type SubscribeResponse = Parameters<Parameters<Subscribe>[1]>[0];

/** The port of `http://localhost`, jsdom's origin. */
const ORIGIN_PORT = 80;

/**
 * Starts both chat namespaces on a free port and redirects the app's sockets to it: they connect to their own origin,
 * and jsdom has none. `respond` returns the acknowledgment of `subscribe`.
 */
export async function startLive(respond: (subscription: Subscription) => SubscribeResponse) {
  const http = createServer();
  const io = new Server(http);
  const live: Namespace<LiveClientEvents, LiveServerEvents> = io.of('/live');
  const chat: Namespace<ChatClientEvents, ChatServerEvents> = io.of('/chat');
  const subscriptions: Subscription[] = [];
  chat.on('connection', () => undefined);
  live.on('connection', (socket) => {
    socket.on('subscribe', (payload, acknowledge) => {
      subscriptions.push(payload);
      acknowledge(respond(payload));
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
  return { live, chat, subscriptions, stop };
}
