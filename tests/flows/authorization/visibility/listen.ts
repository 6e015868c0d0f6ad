import { LIST_TOPICS } from '@atrium/proto-events/live-updates/topics';
import { io, type Socket } from 'socket.io-client';
import { ACTORS, type ActorName } from './actors.ts';
import { idsOf, type Received } from './call-endpoints.ts';
import { CHAT_CLIENT_EVENTS, SERVER_EVENTS, TOPICS_OF } from './channels.ts';
import { type Channel, type KindName, ofKind } from './kinds.ts';
import type { VisibilityFixture } from './visibility-fixture.ts';

export type SocketListener = {
  received: Received[];
  /** Users whose connection was rejected. */
  rejectedUsers: ActorName[];
  /** Emits every chat client event for every resource. */
  emitAllEvents(): Promise<void>;
  /** Resolves once all earlier messages have arrived: sockets preserve order. */
  settle(): Promise<void>;
  close(): void;
};

type Opened = { who: ActorName; namespace: string; socket: Socket };

/** The topics of every resource. */
const topicsOf = ({ resources: things }: VisibilityFixture): string[] => [
  ...LIST_TOPICS,
  ...Object.entries(TOPICS_OF).flatMap(([topic, of]) => idsOf(things, of).map((id) => `${topic}:${id}`)),
];

async function open(url: string, namespace: string, token: string | undefined): Promise<Socket | undefined> {
  const socket = io(url + namespace, {
    auth: { ...(token && { token }) },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    autoConnect: false,
  });
  const isIn = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('connect_error', () => resolve(false));
    socket.connect();
  });
  return isIn ? socket : undefined;
}

/** The current position of the change feed, which is the same for all users. */
export async function readPosition({ url, actors }: Pick<VisibilityFixture, 'url' | 'actors'>): Promise<string> {
  const socket = await open(url, '/live', actors.admin.token);
  if (!socket) throw new Error('The administrator could not connect to /live');
  const { data } = (await socket.emitWithAck('subscribe', { topics: [] })) as { data: { position: string } };
  socket.disconnect();
  return data.position;
}

/** Every user listens: to chat, to `/live`, to subscribed topics, and from a position. */
export async function listen(fixture: VisibilityFixture, position: string): Promise<SocketListener> {
  const received: Received[] = [];
  const rejectedUsers: ActorName[] = [];
  const opened: Opened[] = [];
  const enter = async (who: ActorName, namespace: string, channelOf: (event: string) => Channel) => {
    const token = who === 'anonymous' || who === 'invited' ? 'none' : fixture.actors[who].token;
    const socket = await open(fixture.url, namespace, token);
    if (!socket) return void rejectedUsers.push(who);
    opened.push({ who, namespace, socket });
    socket.onAny((event: string, payload: unknown) => {
      received.push({ who, channel: channelOf(event), from: `${namespace} ${event}`, text: JSON.stringify(payload) });
    });
    return socket;
  };
  const keep = (who: ActorName, channel: Channel, from: string, answer: unknown) =>
    received.push({ who, channel, from, text: JSON.stringify(answer) });
  const topics = topicsOf(fixture);
  const everybody = ACTORS.filter((who) => who !== 'invited');
  const enterAll = async (who: ActorName) => {
    await enter(who, '/chat', (event) => SERVER_EVENTS[event as keyof typeof SERVER_EVENTS]);
    await enter(who, '/live', (event) => SERVER_EVENTS[event as keyof typeof SERVER_EVENTS]);
    const watching = await enter(who, '/live', () => 'watch');
    await watching?.emitWithAck('subscribe', { topics });
    const back = await enter(who, '/live', () => 'watch');
    if (back)
      keep(
        who,
        'resumed',
        'subscribe afterPosition',
        await back.emitWithAck('subscribe', { topics, afterPosition: position }),
      );
    const late = await enter(who, '/live', () => 'watch');
    if (late)
      keep(who, 'resumed', 'subscribe maxAgeMs', await late.emitWithAck('subscribe', { topics, maxAgeMs: 600_000 }));
  };
  await Promise.all(everybody.map(enterAll));
  const chats = () => opened.filter(({ namespace }) => namespace === '/chat');
  return {
    received,
    rejectedUsers: [...new Set(rejectedUsers)],
    async emitAllEvents() {
      const events = Object.entries(CHAT_CLIENT_EVENTS).filter(([, how]) => how !== 'own');
      for (const [event, how] of events)
        await Promise.all(
          chats().flatMap(({ who, socket }) =>
            payloadsOf(fixture, who, event, how).map(async (payload) =>
              keep(who, how === 'of people' ? 'presence' : '/chat', event, await socket.emitWithAck(event, payload)),
            ),
          ),
        );
    },
    settle: async () => void (await Promise.all(opened.map(({ socket }) => socket.emitWithAck('no such event')))),
    close: () => opened.forEach(({ socket }) => void socket.disconnect()),
  };
}

/** Payloads for every conversation; its participants only read it. */
function payloadsOf({ resources: things }: VisibilityFixture, who: ActorName, event: string, how: string): unknown[] {
  if (how === 'of people') return [{ users: idsOf(things, 'users') }];
  const isWrite = event === 'message:send';
  const isTheirs = (kind: KindName) => ofKind(kind).sees.includes(who);
  return things
    .filter(({ idSet: of, kind }) => of === 'conversations' && !(isWrite && isTheirs(kind)))
    .map(({ id: conversation }) => ({ conversation, ...(isWrite && { content: 'Let me in' }) }));
}
