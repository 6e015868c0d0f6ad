import { highestDeliveryRates, type Room, SOCKETS } from '../delivery.ts';
import type { Figure } from '../figures.ts';
import type { World } from '../load-environment.ts';
import { startMeasured } from '../processes.ts';

/** Messages into a conversation of 200 sockets: a bare socket.io room, the chat service, and chat through the gateway, in turn. */
export async function benchDelivery(world: World): Promise<Figure[]> {
  const bare = await startMeasured({
    file: 'tests/load/baselines/socket-room.ts',
    env: { REDIS_URL: world.redisUrl },
    ready: (url) => url,
  });
  const chat = await world.startService('chat');
  const gateway = await world.startGateway({ CHAT_URL: chat.url });
  try {
    const tokens = await Promise.all(Array.from({ length: SOCKETS }, (_, index) => world.tokenOf(index)));
    const conversation = await world.makeConversation(chat.url, SOCKETS);
    const room = (name: string, url: string): Room => ({
      name,
      url,
      namespace: '/chat',
      auth: (index) => ({ token: tokens[index] }),
      send: (socket, content) => socket.emit('message:send', { conversation, content }),
    });
    const plainRoom: Room = {
      name: 'bare',
      url: bare.url,
      namespace: '/',
      auth: () => ({}),
      send: (socket, content) => socket.emit('send', content),
    };
    // One way after the other: a socket of either would hear what is sent on the other one.
    const beside = (one: Room) => highestDeliveryRates([plainRoom, one], world.print);
    const [plain = Number.NaN, straight = Number.NaN] = await beside(room('chat', chat.url));
    const [again = Number.NaN, through = Number.NaN] = await beside(room('chat through the gateway', gateway.url));
    return [
      {
        what: 'delivery to 200 sockets, chat against a bare room',
        value: straight / plain,
        unit: '×',
        limit: 0.8,
        sense: 'at least',
        detail: `${straight.toFixed(0)} against ${plain.toFixed(0)} deliveries/s, p99 under 250 ms`,
      },
      {
        what: 'the same through the gateway',
        value: through / again,
        unit: '×',
        limit: 0.6,
        sense: 'at least',
        detail: `${through.toFixed(0)} against ${again.toFixed(0)} deliveries/s (a cluster's ingress goes straight to chat)`,
      },
    ];
  } finally {
    await Promise.all([bare.stop(), gateway.stop(), chat.stop()]);
  }
}
