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
type Heard<E extends keyof ChatServerEvents> = Parameters<ChatServerEvents[E]>[0];
type Payload<E extends keyof ChatClientEvents> = Parameters<ChatClientEvents[E]>[0];
type Answer<E extends keyof ChatClientEvents> = Parameters<Parameters<ChatClientEvents[E]>[1]>[0];

export type Place = { url: string; tokens: TestTokens };
type Person = Pick<DirectoryUser, '_id' | 'role'>;
type WatchAnswer = Parameters<Parameters<LiveClientEvents['subscribe']>[1]>[0];
type Options = { sessionId?: string; issuedAt?: number; reconnects?: boolean };

const open = new Set<Socket>();

/** Closes what a suite has opened. */
export function closeSockets(): void {
  for (const socket of open) socket.disconnect();
  open.clear();
}

/** A socket that is not connected yet, on a connection of its own. */
export async function aSocket(place: Place, namespace: string, as: Person, options: Options = {}) {
  const { reconnects = false, ...claims } = options;
  const token = await place.tokens.sign(as, claims);
  return rawSocket(place.url, namespace, {
    auth: { token },
    reconnection: reconnects,
    reconnectionDelay: 50,
  });
}

export function rawSocket(url: string, namespace: string, options: Parameters<typeof io>[1]): Socket {
  const socket = io(url + namespace, { transports: ['websocket'], forceNew: true, autoConnect: false, ...options });
  open.add(socket);
  return socket;
}

export async function connected(socket: Socket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
    socket.connect();
  });
}

/** What a refused socket is told. */
export async function refusal(socket: Socket): Promise<string> {
  return connected(socket).then(
    () => 'connected',
    (error: Error) => error.message,
  );
}

/** A person's connected chat socket with everything it hears. */
export async function aChatter(place: Place, as: Person, options: Options = {}) {
  const socket: Chat = await aSocket(place, '/chat', as, options);
  const heard: { event: string; payload: unknown }[] = [];
  socket.onAny((event: string, payload: unknown) => heard.push({ event, payload }));
  await connected(socket);
  const all = <E extends keyof ChatServerEvents>(event: E) =>
    heard.filter((one) => one.event === event).map(({ payload }) => payload as Heard<E>);
  return {
    socket,
    all,
    /** Waits until it hears this. */
    hears: <E extends keyof ChatServerEvents>(event: E, fits: (payload: Heard<E>) => boolean = () => true) =>
      waitFor(() => all(event).find(fits), { what: `${event} to be heard` }),
    says: <E extends keyof ChatClientEvents>(event: E, payload: Payload<E>) =>
      say(socket, event, payload) as Promise<Answer<E>>,
  };
}

/** Sends any event at all and gives its acknowledgement. */
export function say(socket: Socket, event: string, ...payload: unknown[]): Promise<Ack<unknown>> {
  return socket.timeout(10_000).emitWithAck(event, ...payload);
}

/** A person's connected `/live` socket with the changes it was told of. */
export async function aWatcher(place: Place, as: Person) {
  const socket: Socket<LiveServerEvents, LiveClientEvents> = await aSocket(place, '/live', as);
  const packets: Change[][] = [];
  const positions: string[] = [];
  const paces: (number | undefined)[] = [];
  socket.on('changed', ({ changes, position = '', minRefetchIntervalMs }) => {
    packets.push(changes);
    paces.push(minRefetchIntervalMs);
    positions.push(position);
  });
  await connected(socket);
  return {
    socket,
    packets,
    positions,
    /** With each packet, how long to leave between two questions for lists of everything. */
    paces,
    /** Says what it shows, and since when: a position, or how many milliseconds ago. Rejects with the code of a refusal. */
    watch: async (topics: string[], since?: string | number) => {
      const payload = {
        topics,
        ...(typeof since === 'number' ? { maxAgeMs: since } : since !== undefined && { afterPosition: since }),
      };
      const answer = (await say(socket, 'subscribe', payload)) as WatchAnswer;
      if (!answer.ok) throw new Error(answer.error.code);
      return answer.data;
    },
    /** Resolves once all that was sent to it before has come: one connection keeps its order. */
    settle: () => say(socket, 'no such event'),
    seen: () => packets.flat(),
    sees: (fits: (change: Change) => boolean) =>
      waitFor(() => packets.flat().find(fits), { what: 'a change to be told' }),
  };
}
