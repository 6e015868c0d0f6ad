import { setTimeout as delay } from 'node:timers/promises';
import type { ReadState } from '@atrium/proto-events/realtime';
import { errorFromResponse } from '@atrium/web/lib/api/api-error';
import { coalesce } from '@atrium/web/lib/delayed-tasks';
import { jitter } from '@atrium/web/lib/delays';
import { refetchStale } from '@atrium/web/lib/query/refetch-stale';
import type { Screen } from '../screens.ts';
import type { VirtualUser } from '../virtual-users.ts';
import type { Frame } from './frames.ts';
import type { ScreenModel, StaleKey } from './screen-model.ts';
import { openThinSocket, type ThinSocket } from './thin-socket.ts';

/** As in the web app. */
const READ_INTERVAL_MS = 1_000;
const MAX_DATA_AGE_MS = 10_000;
const MAX_RETRIES = 20;
const RETRY_MS = 1_000;

export type ThinClientObserver = {
  onPacket(client: number, packet: string): Frame;
  onRequest(key: string): void;
  count(name: 'failures' | 'lost' | 'resyncs'): void;
};

export type ThinClient = {
  index: number;
  user: VirtualUser;
  screen: Screen;
  refetch(stale: StaleKey): void;
  /** Loads a key of the group's model, whose viewer is this user. */
  load(key: string): Promise<void>;
  /** Unread messages of the open channel, by the states that the server sent. */
  unread(): number;
  close(): void;
};

type ThinClientParams = {
  index: number;
  url: string;
  user: VirtualUser;
  screen: Screen;
  tags: readonly string[];
  model: ScreenModel;
  isViewer: boolean;
  observer: ThinClientObserver;
};

/** Opens a client that follows the protocol of live updates, and requests what they make stale at the app's pace. */
export async function openThinClient(params: ThinClientParams): Promise<ThinClient> {
  const { index, url, user, screen, tags, model, isViewer, observer } = params;
  const get = async (key: string): Promise<string> => {
    observer.onRequest(key);
    const response = await fetch(`${url}/api${key.replace(/&pages=\d+$/, '')}`, {
      headers: { authorization: `Bearer ${user.token}` },
    }).catch(() => null);
    const text = (await response?.text().catch(() => '')) ?? '';
    if (response?.ok) return text;
    observer.count('failures');
    throw errorFromResponse(response?.status ?? 0, null, (name) => response?.headers.get(name) ?? null);
  };
  const load = (key: string) => (isViewer ? model.load(key, () => get(key)) : get(key).then(() => undefined));
  let markStale: (key: string, isIncomplete: boolean) => void = () => undefined;
  const staleRefetch = refetchStale({
    cache: {
      onStale(listener) {
        markStale = listener;
        return () => undefined;
      },
      onFailed: () => () => undefined,
      isObserved: () => true,
      settled: async () => undefined,
      dataAge: () => Number.POSITIVE_INFINITY,
      hasFailed: () => false,
    },
    revalidate: load,
    isVisible: () => true,
    onceVisible: () => undefined,
  });
  const reads = createReads(user, screen, (conversation, seq) =>
    socket.emit('/chat', 'message:read', { conversation, seq }),
  );
  const ownResource = `user:${user._id}`;
  const onEvent = (packet: string) => {
    const frame = observer.onPacket(index, packet);
    if (frame.event === 'resync') observer.count('resyncs');
    reads.follow(frame);
    // As in the web app, which shows the own name on every screen.
    if (frame.received.some(({ resource }) => resource === ownResource)) get('/users/profile').catch(() => undefined);
    const { shared, own } = model.apply(frame, isViewer);
    if (shared.length === 0 && own.length === 0) return;
    staleRefetch.spreadOver((frame.payload as { spreadMs?: number }).spreadMs ?? 0);
    for (const { key, isIncomplete } of [...shared, ...own]) markStale(key, isIncomplete);
    staleRefetch.spreadOver(0);
  };
  const socket: ThinSocket = await openWithRetries({
    url,
    token: user.token,
    subscription: { tags, maxAgeMs: MAX_DATA_AGE_MS },
    listener: { onEvent, onLost: () => observer.count('lost') },
  });
  return {
    index,
    user,
    screen,
    refetch: ({ key, isIncomplete }) => markStale(key, isIncomplete),
    load,
    unread: reads.unread,
    close: socket.close,
  };
}

/** Servers that are busy with thousands of handshakes reject some; browsers retry, too. */
async function openWithRetries(params: Parameters<typeof openThinSocket>[0]): Promise<ThinSocket> {
  for (let retries = 0; ; retries += 1)
    try {
      return await openThinSocket(params);
    } catch (error) {
      if (retries === MAX_RETRIES) throw error;
      await delay(jitter(RETRY_MS));
    }
}

type Message = { conversation: string; seq: number; sender: { _id: string } };

/** Reads the messages of the open channel as they arrive. */
function createReads(user: VirtualUser, { open }: Screen, send: (conversation: string, seq: number) => void) {
  let lastSeq = 0;
  let readSeq = 0;
  const sendLatest = coalesce<number>(READ_INTERVAL_MS, (seqs) => send(open ?? '', Math.max(...seqs)));
  const onMessage = ({ message, unreadCount = 0 }: { message: Message; unreadCount?: number }) => {
    if (message.conversation !== open) return;
    lastSeq = Math.max(lastSeq, message.seq);
    if (message.sender._id === user._id) readSeq = Math.max(readSeq, message.seq - unreadCount);
    else sendLatest([message.seq]);
  };
  const onState = ({ conversation, lastSeq: seq, unreadCount }: ReadState) => {
    if (conversation === open) readSeq = Math.max(readSeq, seq - unreadCount);
  };
  return {
    follow({ event, payload }: Frame) {
      if (event === 'message:new') onMessage(payload as Parameters<typeof onMessage>[0]);
      else if (event === 'conversation:state') onState(payload as ReadState);
    },
    unread: () => lastSeq - readSeq,
  };
}
