import { insertPeople } from '@atrium/proto-events/insert-people';
import type { User } from '@atrium/proto-events/people';
import type { Change, Changes } from '@atrium/proto-events/realtime';
import { followConversations } from '@atrium/web/entities/conversation/follow-conversations';
import { QueryCache } from '@atrium/web/lib/query/query-cache';
import { applyChanges, createContext } from '@atrium/web/realtime/live-changes';
import { patchResponse } from '@atrium/web/realtime/patch-response';
import type { Screen } from '../screens.ts';
import { type Frame, isPrivate } from './frames.ts';

export type StaleKey = { key: string; isIncomplete: boolean };
/** Keys to request because of a frame: what all members of a group show, and what belongs to one of them. */
type StaleKeys = { shared: readonly StaleKey[]; own: readonly StaleKey[] };

export type ScreenModel = {
  /** Applies a frame once for all members, and returns what the frame makes stale on their screens. */
  apply(frame: Frame, isViewer: boolean): StaleKeys;
  /** Sends the viewer's request for a key. Rejects if it fails. */
  load(key: string, request: () => Promise<string>): Promise<void>;
  shown(): Record<string, unknown>;
};

type ScreenModelParams = {
  screen: Screen;
  /** The first member of the group, whose screen this is. */
  viewer: User;
  /** Called for what becomes stale while the viewer's request for it is in flight. */
  onStale: (stale: StaleKey) => void;
};

const NO_KEYS: StaleKeys = { shared: [], own: [] };

/**
 * What the members of a group show, in the web app's cache, patched by the web app's functions: the members have the
 * same responses except for what belongs to one user, and so keep them once.
 */
export function createScreenModel({ screen, viewer, onStale }: ScreenModelParams): ScreenModel {
  const cache = new QueryCache();
  for (const key of screen.keys) cache.observe(key);
  cache.show = (key, data) => void cache.set(key, { data });
  const collected = new Map<string, StaleKey>();
  let isCollecting = false;
  cache.onStale((key, isIncomplete) => {
    if (!isCollecting) onStale({ key, isIncomplete });
    else collected.set(key, { key, isIncomplete: isIncomplete && collected.get(key)?.isIncomplete !== false });
  });
  const collectStale = (change: () => void): StaleKey[] => {
    isCollecting = true;
    change();
    isCollecting = false;
    const keys = [...collected.values()];
    collected.clear();
    return keys;
  };
  let chatListener: (name: string, payload: unknown) => void = () => undefined;
  followConversations({
    cache,
    chat: {
      onAny(listener: typeof chatListener) {
        chatListener = listener;
      },
    } as unknown as Parameters<typeof followConversations>[0]['chat'],
    me: () => viewer._id,
  });
  const results = new WeakMap<Frame, readonly StaleKey[]>();
  const applyShared = (frame: Frame, { changes, ...people }: Changes): readonly StaleKey[] => {
    const known = results.get(frame);
    if (known) return known;
    const shared = changes.filter((change) => !isPrivate(change));
    const keys = collectStale(() => applyChanges(cache, { changes: shared, ...people }, viewer));
    results.set(frame, keys);
    return keys;
  };
  /** Without the member's data, so that a member requests at least what a browser does. */
  const listOwnStale = (changes: readonly Change[]) =>
    screen.keys
      .filter((key) => patchResponse(key, undefined, changes, createContext(cache, viewer)).isStale)
      .map((key) => ({ key, isIncomplete: false }));
  return {
    apply(frame, isViewer) {
      if (frame.event !== 'changed') {
        if (isViewer) chatListener(frame.event, frame.payload);
        return NO_KEYS;
      }
      const received = frame.payload as Changes;
      const shared = applyShared(frame, received);
      const ownChanges = received.changes.filter(isPrivate);
      if (ownChanges.length === 0) return { shared, own: [] };
      if (!isViewer) return { shared, own: listOwnStale(ownChanges) };
      return { shared, own: collectStale(() => applyChanges(cache, { ...received, changes: ownChanges }, viewer)) };
    },
    async load(key, send) {
      const request = cache.startRequest(key);
      try {
        const response: unknown = insertPeople(JSON.parse(await send()));
        cache.set(key, { data: request.succeed(response) });
      } catch (error) {
        request.fail(error);
        throw error;
      }
    },
    shown: () => Object.fromEntries(screen.keys.map((key) => [key, cache.get(key)?.data])),
  };
}
