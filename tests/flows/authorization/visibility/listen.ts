import { LIST_TAGS } from '@atrium/proto-events/change-tags';
import { io, type Socket } from 'socket.io-client';
import { ACTORS, type ActorName, SIGNED_IN } from './actors.ts';
import { listIds, type Received } from './call-endpoints.ts';
import type { VisibilityFixture } from './fixture-resources.ts';
import { type Channel, getKind, type KindName } from './kinds.ts';
import { CHAT_CLIENT_EVENTS, ITEM_TAG_SETS, SERVER_EVENTS } from './socket-events.ts';

export type SocketListener = {
  received: Received[];
  /** Users whose connections were rejected. */
  rejectedUsers: ActorName[];
  /** Emits every chat client event for every resource. */
  emitAllEvents(): Promise<void>;
  /** Resolves once all earlier messages have arrived: sockets preserve order. */
  settle(): Promise<void>;
  close(): void;
};

type OpenSocket = { who: ActorName; namespace: string; socket: Socket };

/** Lists the tags of every list and every resource. */
const listTags = ({ resources }: VisibilityFixture): string[] => [
  ...LIST_TAGS,
  ...Object.entries(ITEM_TAG_SETS).flatMap(([tag, idSet]) => listIds(resources, idSet).map((id) => `${tag}:${id}`)),
];

async function open(url: string, namespace: string, token: string | undefined): Promise<Socket | undefined> {
  const socket = io(url + namespace, {
    auth: { ...(token && { token }) },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    autoConnect: false,
  });
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('connect_error', () => resolve(false));
    socket.connect();
  });
  return isConnected ? socket : undefined;
}

/** Reads the current position of the change feed, which is the same for all users. */
export async function readPosition({ url, actors }: Pick<VisibilityFixture, 'url' | 'actors'>): Promise<string> {
  const socket = await open(url, '/live', actors.admin.token);
  if (!socket) throw new Error('The administrator could not connect to /live');
  const { data } = (await socket.emitWithAck('subscribe', { tags: [] })) as { data: { position: string } };
  socket.disconnect();
  return data.position;
}

/**
 * Connects every user to `/chat` and to `/live`, with and without subscriptions, and replays changes since a position.
 */
export async function listen(fixture: VisibilityFixture, position: string): Promise<SocketListener> {
  const received: Received[] = [];
  const rejectedUsers: ActorName[] = [];
  const openSockets: OpenSocket[] = [];
  const connect = async (who: ActorName, namespace: string, getChannel: (event: string) => Channel) => {
    const token = who === 'anonymous' || who === 'invited' ? 'none' : fixture.actors[who].token;
    const socket = await open(fixture.url, namespace, token);
    if (!socket) return void rejectedUsers.push(who);
    openSockets.push({ who, namespace, socket });
    socket.onAny((event: string, payload: unknown) => {
      received.push({ who, channel: getChannel(event), from: `${namespace} ${event}`, text: JSON.stringify(payload) });
    });
    return socket;
  };
  const recordResponse = (who: ActorName, channel: Channel, from: string, response: unknown) =>
    received.push({ who, channel, from, text: JSON.stringify(response) });
  const tags = listTags(fixture);
  const users = ACTORS.filter((who) => who !== 'invited');
  const connectAll = async (who: ActorName) => {
    await connect(who, '/chat', (event) => SERVER_EVENTS[event as keyof typeof SERVER_EVENTS]);
    await connect(who, '/live', (event) => SERVER_EVENTS[event as keyof typeof SERVER_EVENTS]);
    const subscribed = await connect(who, '/live', () => 'subscription');
    await subscribed?.emitWithAck('subscribe', { tags });
    const resumed = await connect(who, '/live', () => 'subscription');
    if (resumed)
      recordResponse(
        who,
        'replay',
        'subscribe afterPosition',
        await resumed.emitWithAck('subscribe', { tags, afterPosition: position }),
      );
    const catchingUp = await connect(who, '/live', () => 'subscription');
    if (catchingUp)
      recordResponse(
        who,
        'replay',
        'subscribe maxAgeMs',
        await catchingUp.emitWithAck('subscribe', { tags, maxAgeMs: 600_000 }),
      );
  };
  await Promise.all(users.map(connectAll));
  const chatSockets = () => openSockets.filter(({ namespace }) => namespace === '/chat');
  return {
    received,
    rejectedUsers: [...new Set(rejectedUsers)],
    async emitAllEvents() {
      const events = Object.entries(CHAT_CLIENT_EVENTS).filter(([, target]) => target !== 'own');
      for (const [event, target] of events)
        await Promise.all(
          chatSockets().flatMap(({ who, socket }) =>
            buildPayloads(fixture, who, event, target).map(async (payload) =>
              recordResponse(
                who,
                target === 'users' ? 'presence' : '/chat',
                event,
                await socket.emitWithAck(event, payload),
              ),
            ),
          ),
        );
    },
    settle: async () => void (await Promise.all(openSockets.map(({ socket }) => socket.emitWithAck('no such event')))),
    close: () => openSockets.forEach(({ socket }) => void socket.disconnect()),
  };
}

/** Reads the changes since a position over HTTP, as every user. */
export async function readChanges(fixture: VisibilityFixture, since: string): Promise<Received[]> {
  const query = new URLSearchParams({ since, tags: listTags(fixture).join() });
  return Promise.all(
    [...SIGNED_IN, 'deactivated' as const].map(async (who) => {
      const response = await fetch(`${fixture.url}/api/changes?${query}`, {
        headers: { authorization: `Bearer ${fixture.actors[who].token}` },
      });
      return { who, channel: 'replay', from: 'GET /changes?since', text: await response.text() };
    }),
  );
}

/** Builds payloads for every conversation. Participants of a conversation send no message to it. */
function buildPayloads({ resources }: VisibilityFixture, who: ActorName, event: string, target: string): unknown[] {
  if (target === 'users') return [{ users: listIds(resources, 'users') }];
  const isWrite = event === 'message:send';
  const isParticipant = (kind: KindName) => getKind(kind).sees.includes(who);
  return resources
    .filter(({ idSet, kind }) => idSet === 'conversations' && !(isWrite && isParticipant(kind)))
    .map(({ id: conversation }) => ({ conversation, ...(isWrite && { content: 'Let me in' }) }));
}
