import type { Browser } from '../browser.ts';
import { findPageDifference, listDifferences, toJson, toShown } from '../fresh-load.ts';
import { isMessagesKey, UNREAD } from '../screens.ts';
import type { ThinGroup } from './thin-groups.ts';

type Screens = {
  engines: readonly Browser[];
  groups: readonly ThinGroup[];
  /** What the thin clients of each group show, by key. */
  shown: readonly Record<string, unknown>[];
};

export type ScreenDifferences = {
  /** Of browsers from a fresh load. */
  fresh: string[];
  /** Of thin clients from the browser of their group. */
  thin: string[];
};

export async function listScreenDifferences(url: string, { engines, groups, shown }: Screens) {
  const fresh = (await Promise.all(engines.map((engine) => listDifferences(url, engine)))).flat();
  const shownByEngine = shown.filter((_, index) => groups[index]?.hasEngine);
  const thin = engines.flatMap((engine, index) => compareWithEngine(engine, shownByEngine[index] ?? {}));
  return { fresh, thin };
}

/** Messages and unread counts are compared by the messages and read states that a client received. */
function compareWithEngine(engine: Browser, shown: Record<string, unknown>): string[] {
  const keys = engine.screen.keys.filter((key) => key !== UNREAD && !isMessagesKey(key));
  return keys.flatMap((key) => {
    const difference = findPageDifference(toJson(withoutUnread(engine.cachedData(key))), withoutUnread(shown[key]));
    return difference === null ? [] : [`${key} of a ${engine.screen.name}${difference}`];
  });
}

function withoutUnread(response: unknown): unknown {
  const shown = toShown(response);
  if (typeof shown !== 'object' || shown === null || !('data' in shown) || !Array.isArray(shown.data)) return shown;
  return {
    ...shown,
    data: shown.data.map(({ unreadCount: _unreadCount, lastReadSeq: _lastReadSeq, ...item }) => item),
  };
}
