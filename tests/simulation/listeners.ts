import { io, type Socket } from 'socket.io-client';
import type { Span } from './acknowledged-writes.ts';
import { call } from './call.ts';
import type { SimulationFixture } from './jobs.ts';

export type Disconnect = { namespace: string; from: Date; ms: number };

/** A user with open chat who catches up after every reconnect, like the web app. */
export type Listener = {
  who: string;
  /** Ids of messages received through the socket or by catching up. */
  received: ReadonlyMap<string, number>;
  /** Ids of messages received through the socket. */
  delivered: ReadonlySet<string>;
  /** Outages of the chat socket: each from the last received message until it was connected again. */
  outages(): Span[];
  reconnects(): number;
  /** Disconnects of each socket that ended since a time (`performance.now()`) or have not ended. */
  disconnects(since: number): Disconnect[];
  close(): void;
};

const RETRY_DELAY_MS = 250;

type Change = { resource: string; id: string; version: number };
type Message = { _id: string; seq: number; conversation: string };

/** Opens sockets for the first `count` users. */
export const openListeners = (base: string, { workers, conversation }: SimulationFixture, count: number): Listener[] =>
  workers.slice(0, count).map((worker) => {
    const received = new Map<string, number>();
    const delivered = new Set<string>();
    const seqs = new Set<number>();
    /** Every message up to this seq was received; the seqs of a conversation have no gaps. */
    let complete = 0;
    let highest = 0;
    let connects = 0;
    /** When each disconnected socket was disconnected, by namespace. */
    const leftAt = new Map<string, number>();
    const away: (Disconnect & { until: number })[] = [];
    let catching = false;
    let closed = false;
    const receive = ({ _id, seq, conversation: where }: Message) => {
      if (where !== conversation) return;
      received.set(_id, seq);
      seqs.add(seq);
      highest = Math.max(highest, seq);
      while (seqs.has(complete + 1)) complete += 1;
    };
    /** Fetches messages after the last complete one until none is missing. */
    const catchUp = async () => {
      if (catching || closed) return;
      catching = true;
      const path = `/chat/messages?conversation=${conversation}&limit=100&after=${complete}`;
      const { status, body } = await call(base, { method: 'GET', path, token: worker.token });
      catching = false;
      if (status !== 200) return void setTimeout(catchUp, RETRY_DELAY_MS);
      const { data, hasMore } = body as { data: Message[]; hasMore: boolean };
      for (const message of data) receive(message);
      if (hasMore || highest > complete) setTimeout(catchUp, hasMore ? 0 : RETRY_DELAY_MS);
    };
    const absence = (namespace: string, left: number): Disconnect => {
      const ms = performance.now() - left;
      return { namespace, from: new Date(Date.now() - ms), ms };
    };
    const open = (namespace: string): Socket => {
      const socket = io(`${base}${namespace}`, {
        auth: (give) => give({ token: worker.token }),
        transports: ['websocket'],
        forceNew: true,
        reconnectionDelay: 200,
        reconnectionDelayMax: 1_000,
      });
      return socket
        .on('connect', () => {
          const left = leftAt.get(namespace);
          leftAt.delete(namespace);
          if (left !== undefined) away.push({ until: performance.now(), ...absence(namespace, left) });
        })
        .on('disconnect', (reason) => {
          if (!closed) leftAt.set(namespace, performance.now());
          // socket.io does not reconnect after a disconnect by the server.
          if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 200);
        });
    };
    const chat = open('/chat');
    const outages = trackOutages(chat);
    chat.on('connect', () => {
      connects += 1;
      void catchUp();
    });
    chat.on('message:new', ({ message }: { message: Message }) => {
      delivered.add(message._id);
      receive(message);
      if (highest > complete) void catchUp();
    });
    const live = open('/live');
    live.on('changed', ({ changes }: { changes: Change[] }) => {
      for (const { resource, id, version } of changes) {
        if (resource !== 'message' || id !== conversation) continue;
        highest = Math.max(highest, version);
        if (highest > complete) void catchUp();
      }
    });
    live.on('resync', () => void catchUp());
    return {
      who: worker.first,
      received,
      delivered,
      outages,
      reconnects: () => Math.max(0, connects - 1),
      disconnects: (since) => [
        ...away.filter(({ until }) => until >= since),
        ...[...leftAt].map(([namespace, left]) => absence(namespace, left)),
      ],
      close() {
        closed = true;
        chat.disconnect();
        live.disconnect();
      },
    };
  });

/** Records outages. The server notices a silently lost connection only after a ping timeout. */
function trackOutages(socket: Socket): () => Span[] {
  const over: Span[] = [];
  let lastCameAt = Number.NEGATIVE_INFINITY;
  let since: number | undefined = lastCameAt;
  const came = () => {
    lastCameAt = performance.now();
  };
  socket.io.on('open', () => void socket.io.engine.on('packet', came));
  socket
    .on('connect', () => {
      if (since !== undefined) over.push({ from: since, to: performance.now() });
      since = undefined;
    })
    .on('disconnect', () => {
      since = lastCameAt;
    });
  return () => (since === undefined ? over : [...over, { from: since, to: Number.POSITIVE_INFINITY }]);
}
