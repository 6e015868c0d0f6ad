import { findHighestRates, type Room, SOCKETS } from '../delivery.ts';
import type { Figure } from '../figures.ts';
import { createHttpSender } from '../http-sender.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { startMeasured } from '../processes.ts';

/**
 * Sends messages over HTTP as one user, to 200 sockets in a bare socket.io room, in a channel, and in a channel behind the
 * gateway, which forwards both the requests and the sockets.
 */
export async function benchDelivery(environment: LoadEnvironment): Promise<Figure[]> {
  const bare = await startMeasured({
    file: 'tests/load/baselines/socket-room.ts',
    env: { REDIS_URL: environment.redisUrl },
    ready: (url) => url,
  });
  const chat = await environment.startService('chat');
  const gateway = await environment.startGateway({ CHAT_URL: chat.url });
  try {
    const tokens = await Promise.all(Array.from({ length: SOCKETS }, (_, index) => environment.tokenOf(index)));
    const conversation = await environment.createConversation(chat.url, SOCKETS);
    const authorization = `Bearer ${tokens[0]}`;
    const room = (name: string, url: string): Room => ({
      name,
      url,
      namespace: '/chat',
      auth: (index) => ({ token: tokens[index] }),
      sender: createHttpSender(`${url}/api/chat/messages`, { authorization }),
      body: (content) => ({ conversation, content }),
    });
    const plainRoom: Room = {
      name: 'bare',
      url: bare.url,
      namespace: '/',
      auth: () => ({}),
      sender: createHttpSender(`${bare.url}/messages`),
      body: (content) => ({ content }),
    };
    // Measured one after another, because a socket of either chat room receives the messages of both.
    const compareWithPlain = (chatRoom: Room) => findHighestRates([plainRoom, chatRoom], environment.print);
    const [plain = Number.NaN, direct = Number.NaN] = await compareWithPlain(room('chat', chat.url));
    const [plainAgain = Number.NaN, viaGateway = Number.NaN] = await compareWithPlain(
      room('chat through the gateway', gateway.url),
    );
    return [
      {
        name: 'delivery to 200 sockets, chat against a bare room',
        value: direct / plain,
        unit: '×',
        limit: 0.8,
        sense: 'at least',
        detail: `${direct.toFixed(0)} against ${plain.toFixed(0)} deliveries/s, p99 under 250 ms`,
      },
      {
        name: 'the same through the gateway',
        value: viaGateway / plainAgain,
        unit: '×',
        limit: 0.6,
        sense: 'at least',
        detail: `${viaGateway.toFixed(0)} against ${plainAgain.toFixed(0)} deliveries/s (a cluster's ingress connects directly to chat)`,
      },
    ];
  } finally {
    await Promise.all([bare.stop(), gateway.stop(), chat.stop()]);
  }
}
