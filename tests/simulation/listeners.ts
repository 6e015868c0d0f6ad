import { io, type Socket } from 'socket.io-client';
import type { Span } from './acknowledged-writes.ts';
import { call } from './caller.ts';
import type { Site } from './jobs.ts';

export type Absence = { namespace: string; from: Date; ms: number };

/** Somebody's open chat, which catches up after every reconnect as the web app does. */
export type Listener = {
  who: string;
  /** Ids of messages that came by the socket, or by catching up. */
  heard: ReadonlyMap<string, number>;
  /** Ids of those that came by the socket. */
  delivered: ReadonlySet<string>;
  /** When the socket of messages was away: each time from the last that came by it until it was there again. */
  troubles(): Span[];
  reconnects(): number;
  /** How long each socket was away, each time that ended since that moment (`performance.now()`) or has not ended. */
  absences(since: number): Absence[];
  close(): void;
};

const AGAIN_MS = 250;

type Change = { resource: string; id: string; version: number };
type Message = { _id: string; seq: number; conversation: string };

/** Opens sockets for the first `count` of those at work. */
export const openListeners = (base: string, { workers, conversation }: Site, count: number): Listener[] =>
  workers.slice(0, count).map((worker) => {
    const heard = new Map<string, number>();
    const delivered = new Set<string>();
    const seqs = new Set<number>();
    /** Everything up to here was heard; seqs of a conversation have no gaps. */
    let complete = 0;
    let highest = 0;
    let connects = 0;
    /** When each socket that is away went, by its namespace. */
    const leftAt = new Map<string, number>();
    const away: (Absence & { until: number })[] = [];
    let catching = false;
    let closed = false;
    const hear = ({ _id, seq, conversation: where }: Message) => {
      if (where !== conversation) return;
      heard.set(_id, seq);
      seqs.add(seq);
      highest = Math.max(highest, seq);
      while (seqs.has(complete + 1)) complete += 1;
    };
    /** Asks for what follows the last that is complete, until nothing is missing. */
    const catchUp = async () => {
      if (catching || closed) return;
      catching = true;
      const path = `/chat/messages?conversation=${conversation}&limit=100&after=${complete}`;
      const { status, body } = await call(base, { method: 'GET', path, token: worker.token });
      catching = false;
      if (status !== 200) return void setTimeout(catchUp, AGAIN_MS);
      const { data, hasMore } = body as { data: Message[]; hasMore: boolean };
      for (const message of data) hear(message);
      if (hasMore || highest > complete) setTimeout(catchUp, hasMore ? 0 : AGAIN_MS);
    };
    const absence = (namespace: string, left: number): Absence => {
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
          // What the server closes is not opened again by itself.
          if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 200);
        });
    };
    const chat = open('/chat');
    const troubles = watchTroubles(chat);
    chat.on('connect', () => {
      connects += 1;
      void catchUp();
    });
    chat.on('message:new', ({ message }: { message: Message }) => {
      delivered.add(message._id);
      hear(message);
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
      heard,
      delivered,
      troubles,
      reconnects: () => Math.max(0, connects - 1),
      absences: (since) => [
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

/** Notes when a socket was away. Whoever is gone without a word is missed by the server's questions only after a while. */
function watchTroubles(socket: Socket): () => Span[] {
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
