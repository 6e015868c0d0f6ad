import { io, type Socket } from 'socket.io-client';
import { call } from './caller.ts';
import type { Site } from './work.ts';

/** Somebody's open chat, which catches up after every reconnect as the web app does. */
export type Listener = {
  who: string;
  /** Ids of messages that came by the socket, or by catching up. */
  heard: ReadonlyMap<string, number>;
  reconnects(): number;
  /** Ids that other sockets told of on `/live`. */
  told: ReadonlySet<string>;
  close(): void;
};

type Message = { _id: string; seq: number; conversation: string };

/** Opens sockets for the first `count` of those at work. */
export const openListeners = (base: string, { workers, conversation }: Site, count: number): Listener[] =>
  workers.slice(0, count).map((worker) => {
    const heard = new Map<string, number>();
    const told = new Set<string>();
    let last = 0;
    let connects = 0;
    const hear = ({ _id, seq, conversation: where }: Message) => {
      if (where !== conversation) return;
      heard.set(_id, seq);
      last = Math.max(last, seq);
    };
    const catchUp = async () => {
      const path = `/chat/messages?conversation=${conversation}&limit=100&after=${last}`;
      const { status, body } = await call(base, { method: 'GET', path, token: worker.token });
      if (status !== 200) return void setTimeout(catchUp, 250);
      const { data, hasMore } = body as { data: Message[]; hasMore: boolean };
      for (const message of data) hear(message);
      if (hasMore) await catchUp();
    };
    const open = (namespace: string): Socket =>
      io(`${base}${namespace}`, {
        auth: (give) => give({ token: worker.token }),
        transports: ['websocket'],
        forceNew: true,
        reconnectionDelay: 200,
        reconnectionDelayMax: 1_000,
      });
    const chat = open('/chat');
    // What the server closes is not opened again by itself.
    const reopen = (socket: Socket) => (reason: string) => {
      if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 200);
    };
    chat.on('connect', () => {
      connects += 1;
      void catchUp();
    });
    chat.on('message:new', ({ message }: { message: Message }) => hear(message));
    chat.on('disconnect', reopen(chat));
    const live = open('/live');
    live.on('changed', ({ changes }: { changes: { id: string }[] }) => {
      for (const { id } of changes) told.add(id);
    });
    live.on('disconnect', reopen(live));
    return {
      who: worker.first,
      heard,
      told,
      reconnects: () => Math.max(0, connects - 1),
      close() {
        chat.disconnect();
        live.disconnect();
      },
    };
  });
