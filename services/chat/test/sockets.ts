import type { DirectoryUser } from '@atrium/proto-events/people';
import type {
  Ack,
  Change,
  ChatClientEvents,
  ChatServerEvents,
  LiveClientEvents,
  LiveServerEvents,
} from '@atrium/proto-events/realtime';
import type { TestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { io, type Socket } from 'socket.io-client';

type Chat = Socket<ChatServerEvents, ChatClientEvents>;
type EventPayload<E extends keyof ChatServerEvents> = Parameters<ChatServerEvents[E]>[0];
type Payload<E extends keyof ChatClientEvents> = Parameters<ChatClientEvents[E]>[0];
type AckOf<E extends keyof ChatClientEvents> = Parameters<Parameters<ChatClientEvents[E]>[1]>[0];

export type Pod = { url: string; tokens: TestTokens };
type TestUser = Pick<DirectoryUser, '_id' | 'role'>;
type SubscribeAck = Parameters<Parameters<LiveClientEvents['subscribe']>[1]>[0];
type Options = { sessionId?: string; issuedAt?: number; reconnects?: boolean };

const openedSockets = new Set<Socket>();

export function closeSockets(): void {
  for (const socket of openedSockets) socket.disconnect();
  openedSockets.clear();
}

/** Creates a socket that is not connected yet, on a separate connection. */
export async function createSocket(pod: Pod, namespace: string, as: TestUser, options: Options = {}) {
  const { reconnects = false, ...claims } = options;
  const token = await pod.tokens.sign(as, claims);
  return createRawSocket(pod.url, namespace, {
    auth: { token },
    reconnection: reconnects,
    reconnectionDelay: 50,
  });
}

export function createRawSocket(url: string, namespace: string, options: Parameters<typeof io>[1]): Socket {
  const socket = io(url + namespace, { transports: ['websocket'], forceNew: true, autoConnect: false, ...options });
  openedSockets.add(socket);
  return socket;
}

export async function connect(socket: Socket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
    socket.connect();
  });
}

/** Connects the socket. Returns `connected`, or the error message of a rejected connection. */
export async function tryConnect(socket: Socket): Promise<string> {
  return connect(socket).then(
    () => 'connected',
    (error: Error) => error.message,
  );
}

/** Connects a `/chat` socket that records all events. */
export async function connectChat(pod: Pod, as: TestUser, options: Options = {}) {
  const socket: Chat = await createSocket(pod, '/chat', as, options);
  const events: { event: string; payload: unknown }[] = [];
  socket.onAny((event: string, payload: unknown) => events.push({ event, payload }));
  await connect(socket);
  const all = <E extends keyof ChatServerEvents>(event: E) =>
    events.filter((received) => received.event === event).map(({ payload }) => payload as EventPayload<E>);
  const emits = <E extends keyof ChatClientEvents>(event: E, payload: Payload<E>) =>
    emit(socket, event, payload) as Promise<AckOf<E>>;
  return {
    socket,
    all,
    receives: <E extends keyof ChatServerEvents>(
      event: E,
      matches: (payload: EventPayload<E>) => boolean = () => true,
    ) => waitFor(() => all(event).find(matches), { description: `${event} to be received` }),
    emits,
    /** Throws if the server rejects the event. */
    succeeds: async <E extends keyof ChatClientEvents>(event: E, payload: Payload<E>) => {
      const ack = await emits(event, payload);
      if (!ack.ok) throw new Error(`${event}: ${JSON.stringify(ack.error)}`);
    },
  };
}

/** Sends an event, valid or not, and returns its acknowledgment. */
export function emit(socket: Socket, event: string, ...payload: unknown[]): Promise<Ack<unknown>> {
  return socket.timeout(10_000).emitWithAck(event, ...payload);
}

/** Connects a `/live` socket that records all frames with changes. */
export async function connectLive(pod: Pod, as: TestUser) {
  const socket: Socket<LiveServerEvents, LiveClientEvents> = await createSocket(pod, '/live', as);
  const frames: Parameters<LiveServerEvents['changed']>[0][] = [];
  socket.on('changed', (frame) => frames.push(frame));
  const received = () => frames.flatMap(({ changes }) => changes);
  await connect(socket);
  return {
    socket,
    frames,
    /** Subscribes with a position, or with an age in milliseconds. Rejects with the error code. */
    subscribe: async (tags: string[], startFrom?: string | number) => {
      const payload = {
        tags,
        ...(typeof startFrom === 'number'
          ? { maxAgeMs: startFrom }
          : startFrom !== undefined && { afterPosition: startFrom }),
      };
      const ack = (await emit(socket, 'subscribe', payload)) as SubscribeAck;
      if (!ack.ok) throw new Error(ack.error.code);
      return ack.data;
    },
    /** Resolves once everything sent before has been received, because a connection keeps its order. */
    drain: () => emit(socket, 'no such event'),
    received,
    receives: (matches: (change: Change) => boolean) =>
      waitFor(() => received().find(matches), { description: 'a change to be received' }),
  };
}
