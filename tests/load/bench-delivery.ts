import { highestDeliveryRate, SOCKETS } from './delivery.ts';
import type { Figure } from './figures.ts';
import { startMeasured } from './processes.ts';
import type { World } from './world.ts';

/** Messages into a conversation of 200 sockets: a bare socket.io room, the chat service, and chat through the gateway. */
export async function benchDelivery(world: World): Promise<Figure[]> {
  const bare = await startMeasured({
    file: 'tests/load/bare/socket-room.ts',
    env: { REDIS_URL: world.redisUrl },
    ready: (url) => url,
  });
  const plain = await highestDeliveryRate(
    { url: bare.url, namespace: '/', auth: () => ({}), send: (socket, content) => socket.emit('send', content) },
    world.print,
  );
  await bare.stop();

  const chat = await world.startService('chat');
  const gateway = await world.startGateway({ CHAT_URL: chat.url });
  try {
    const conversation = await world.makeConversation(chat.url, SOCKETS);
    const tokens = await Promise.all(Array.from({ length: SOCKETS }, (_, index) => world.tokenOf(index)));
    const room = (url: string) => ({
      url,
      namespace: '/chat',
      auth: (index: number) => ({ token: tokens[index] }),
      send: (socket: { emit(event: string, payload: unknown): void }, content: string) =>
        socket.emit('message:send', { conversation, content }),
    });
    world.print('  chat, straight');
    const straight = await highestDeliveryRate(room(chat.url), world.print);
    world.print('  chat, through the gateway');
    const through = await highestDeliveryRate(room(gateway.url), world.print);
    return [
      {
        what: 'delivery to 200 sockets, chat against a bare room',
        value: straight / plain,
        unit: '×',
        limit: 0.55,
        sense: 'at least',
        detail: `${straight.toFixed(0)} against ${plain.toFixed(0)} deliveries/s, p99 under 250 ms`,
      },
      {
        what: 'the same through the gateway',
        value: through / plain,
        unit: '×',
        limit: null,
        sense: 'at least',
        detail: `${through.toFixed(0)} deliveries/s (a cluster's ingress goes straight to chat)`,
      },
    ];
  } finally {
    await Promise.all([gateway.stop(), chat.stop()]);
  }
}
