import { io, type Socket } from 'socket.io-client';
import type { Span } from './acknowledged-writes.ts';
import { call } from './call.ts';
import type { SimulationFixture } from './jobs.ts';

/** A period in which a socket was disconnected. */
export type Disconnect = { namespace: string; from: Date; ms: number };

/** A user with an open chat, who catches up after every reconnect like the web app. */
export type Listener = {
  who: string;
  /** The seqs of messages received through the socket or by catching up, by id. */
  received: ReadonlyMap<string, number>;
  /** Ids of messages received through the socket. */
  delivered: ReadonlySet<string>;
  /** Lists the outages of the chat socket. Each begins with the last received packet and ends with the reconnect. */
  outages(): Span[];
  reconnects(): number;
  /** Lists the disconnects that ended since a time of `performance.now()` or have not ended. */
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
    /** Every message up to this seq was received. The seqs of a conversation have no gaps. */
    let completeSeq = 0;
    let highestSeq = 0;
    let connectCount = 0;
    /** When each currently disconnected socket was disconnected, by namespace. */
    const disconnectedAt = new Map<string, number>();
    const pastDisconnects: (Disconnect & { until: number })[] = [];
    let isCatchingUp = false;
    let isClosed = false;
    const receive = ({ _id, seq, conversation: messageConversation }: Message) => {
      if (messageConversation !== conversation) return;
      received.set(_id, seq);
      seqs.add(seq);
      highestSeq = Math.max(highestSeq, seq);
      while (seqs.has(completeSeq + 1)) completeSeq += 1;
    };
    /** Fetches messages after the last complete one until none is missing. */
    const catchUp = async () => {
      if (isCatchingUp || isClosed) return;
      isCatchingUp = true;
      const path = `/chat/messages?conversation=${conversation}&limit=100&after=${completeSeq}`;
      const { status, body } = await call(base, { method: 'GET', path, token: worker.token });
      isCatchingUp = false;
      if (status !== 200) return void setTimeout(catchUp, RETRY_DELAY_MS);
      const { data, hasMore } = body as { data: Message[]; hasMore: boolean };
      for (const message of data) receive(message);
      if (hasMore || highestSeq > completeSeq) setTimeout(catchUp, hasMore ? 0 : RETRY_DELAY_MS);
    };
    const describeDisconnect = (namespace: string, since: number): Disconnect => {
      const ms = performance.now() - since;
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
          const since = disconnectedAt.get(namespace);
          disconnectedAt.delete(namespace);
          if (since !== undefined)
            pastDisconnects.push({ until: performance.now(), ...describeDisconnect(namespace, since) });
        })
        .on('disconnect', (reason) => {
          if (!isClosed) disconnectedAt.set(namespace, performance.now());
          // After a disconnect by the server, socket.io does not reconnect automatically.
          if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 200);
        });
    };
    const chat = open('/chat');
    const outages = trackOutages(chat);
    chat.on('connect', () => {
      connectCount += 1;
      void catchUp();
    });
    chat.on('message:new', ({ message }: { message: Message }) => {
      delivered.add(message._id);
      receive(message);
      if (highestSeq > completeSeq) void catchUp();
    });
    const live = open('/live');
    live.on('changed', ({ changes }: { changes: Change[] }) => {
      for (const { resource, id, version } of changes) {
        if (resource !== 'message' || id !== conversation) continue;
        highestSeq = Math.max(highestSeq, version);
        if (highestSeq > completeSeq) void catchUp();
      }
    });
    live.on('resync', () => void catchUp());
    return {
      who: worker.first,
      received,
      delivered,
      outages,
      reconnects: () => Math.max(0, connectCount - 1),
      disconnects: (since) => [
        ...pastDisconnects.filter(({ until }) => until >= since),
        ...[...disconnectedAt].map(([namespace, startedAt]) => describeDisconnect(namespace, startedAt)),
      ],
      close() {
        isClosed = true;
        chat.disconnect();
        live.disconnect();
      },
    };
  });

/**
 * Records outages of a socket. An outage begins with the last received packet, because the client notices a silently
 * lost connection only after a ping timeout.
 */
function trackOutages(socket: Socket): () => Span[] {
  const pastOutages: Span[] = [];
  let lastPacketAt = Number.NEGATIVE_INFINITY;
  let outageStart: number | undefined = lastPacketAt;
  const recordPacket = () => {
    lastPacketAt = performance.now();
  };
  socket.io.on('open', () => void socket.io.engine.on('packet', recordPacket));
  socket
    .on('connect', () => {
      if (outageStart !== undefined) pastOutages.push({ from: outageStart, to: performance.now() });
      outageStart = undefined;
    })
    .on('disconnect', () => {
      outageStart = lastPacketAt;
    });
  return () =>
    outageStart === undefined ? pastOutages : [...pastOutages, { from: outageStart, to: Number.POSITIVE_INFINITY }];
}
