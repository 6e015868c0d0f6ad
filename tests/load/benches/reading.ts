import { type Comparison, compareReads, type Read } from '../compare-reads.ts';
import type { Figure } from '../figures.ts';
import { loadHttp } from '../http-load.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { startBareProxy, startMeasured } from '../processes.ts';
import { seedConversations } from '../seed-conversations.ts';

const SAME_STATEMENT = 'a bare route with the same statement';
const BEFORE = 'the checkout in BENCH_BEFORE';

const EFFORT = { rounds: 5, seconds: 1.5 };

/**
 * Reads the newest 100 messages, and 100 conversations of 32 users, by a bare route, by chat, and by chat through the
 * gateway, in turn. If `BENCH_BEFORE` is the folder of another checkout, its chat reads the messages, too.
 */
export async function benchReading(environment: LoadEnvironment): Promise<Figure[]> {
  const service = await environment.startService('chat', 'reading');
  const gateway = await environment.startGateway({ CHAT_URL: service.url });
  const checkout = process.env.BENCH_BEFORE;
  const before = checkout ? await environment.startService('chat', 'reading', { checkout }) : undefined;
  const url = environment.databaseUrl('reading');
  const { longConversation } = await seedConversations(url, environment.users);
  const bare = await startMeasured({
    file: 'tests/load/baselines/express-chat.ts',
    env: { DATABASE_URL: url, VIEWER: environment.users[0]?._id ?? '', CONVERSATION: longConversation },
    ready: (baseUrl) => `${baseUrl}/messages`,
  });
  const proxy = await startBareProxy(service);
  try {
    const headers = { authorization: `Bearer ${await environment.tokenOf(0)}` };
    const compare = (barePath: string, path: string, others?: Read['others']) =>
      compareReads(
        { bare: { process: bare, path: barePath }, service, proxy, gateway, path, headers, ...(others && { others }) },
        EFFORT,
        environment.print,
      );
    environment.print('  the newest 100 messages');
    const messagesPath = `/api/chat/messages?conversation=${longConversation}&limit=100`;
    const messages = await compare('/messages', messagesPath, {
      [SAME_STATEMENT]: { process: bare, path: '/message-page' },
      ...(before && { [BEFORE]: { process: before, path: messagesPath } }),
    });
    environment.print('  100 conversations, six participants each');
    const path = '/api/chat/conversations?limit=100&people=6';
    const conversations = await compare('/conversations', path);
    const browserEncodings = { ...headers, 'accept-encoding': 'gzip, deflate, br, zstd' };
    const compressed = await loadHttp({
      url: gateway.url + path,
      connections: 4,
      seconds: 1,
      headers: browserEncodings,
    });
    return [
      ...buildFigures('the newest 100 messages', messages),
      ...Object.entries(messages.others).map(([name, { rate, cpu }]) => ({
        name: `the newest 100 messages, CPU against ${name}`,
        value: cpu,
        unit: '×',
        limit: name === BEFORE ? 0.5 : null,
        sense: 'at most' as const,
        detail: `per request; ${rate.toFixed(2)} times the rate at 32 connections`,
      })),
      ...buildFigures('100 conversations, six participants each', conversations),
      {
        name: '100 conversations of 32 participants, six shown, as sent to a browser',
        value: compressed.bytes / 1000,
        unit: ' KB',
        limit: 80,
        sense: 'at most',
        detail: `compressed by the gateway; ${(conversations.bytes / 1000).toFixed(0)} KB uncompressed`,
      },
      {
        name: 'the same, per second',
        value: conversations.perSecond,
        unit: '/s',
        limit: null,
        sense: 'at least',
        detail: 'at 32 connections, with the database and this load on the same cores',
      },
    ];
  } finally {
    await Promise.all([bare, proxy, gateway, service, before].map((process) => process?.stop()));
  }
}

const buildFigures = (name: string, { rate, cpu, gatewayCpu }: Comparison): Figure[] => [
  {
    name: `${name}, chat against a bare route`,
    value: rate,
    unit: '×',
    limit: 0.85,
    sense: 'at least',
    detail: `rate at 32 connections; ${cpu.toFixed(2)} times the CPU`,
  },
  {
    name: `${name}, the gateway against a bare proxy`,
    value: gatewayCpu,
    unit: '×',
    limit: 1.25,
    sense: 'at most',
    detail: 'CPU per request, without the service',
  },
];
