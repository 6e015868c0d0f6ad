import { recordTime, type TimesByName } from '../figures.ts';
import type { Browser, BrowserObserver, BrowserRequest } from './browser.ts';

/** A change in flight, and how to recognize it on a screen. */
export type ExpectedChange = {
  /** The id of the changed item. */
  id: string;
  /** `performance.now()` before the write, so latencies include it. */
  at: number;
  /** Whether the change affects the data under a key of a user. */
  affects: (key: string, data: unknown, userId: string) => boolean;
  /** Whether the data contains the change, or a later one. */
  isShownIn: (key: string, data: unknown, shownAt: number) => boolean;
};

type UnrequestedChange = {
  id: string;
  /** Infinite while the write is in flight. */
  madeAt: number;
};
type KeyState = {
  /** Changes that are not shown yet. */
  pending: ExpectedChange[];
  requestedAt: number;
  /** Changes that no request was for. */
  unrequested: UnrequestedChange[];
  /** Time of the latest change that a request was for. */
  coveredUntil: number;
};

/** A request within this time after a change may precede its update. */
const UPDATE_DELAY_MS = 1_000;

/**
 * Requests without a visible reason. For `late update`, the previous request came after the change but before its
 * update, so its response already had the change. For `other`, nothing had changed.
 */
export type UnexpectedRequestKind = 'late update' | 'other';
export type UnexpectedRequest = { kind: UnexpectedRequestKind; path: string; screen: string; after: string };

export type DeliveryRecorder = BrowserObserver & {
  /** Registers a change before its write; the caller then reports whether it succeeded. */
  expect(browsers: readonly Browser[], change: ExpectedChange): { succeeded(): void; failed(): void };
  /** Latencies in milliseconds: `narrow` for lists of one project or conversation, `workspaceWide` for other lists. */
  times: TimesByName;
  /** Latencies by path. */
  timesByPath: TimesByName;
  /** Number of requests since `begin`. */
  requests(): number;
  /** Number of pairs of a change and a browser that shows it. */
  shownCount(): number;
  /** Requests of browsers where nothing had changed. */
  unexpectedRequests(): readonly UnexpectedRequest[];
  /** Changes that some browser has not shown yet. */
  notShown(): string[];
  statuses(): Readonly<Record<string, number>>;
  /** Requests for workspace-wide lists: the maximum per browser, and the mean of the browsers with any. */
  workspaceWide(): { max: number; mean: number };
  perBrowser(): ReadonlyMap<Browser, readonly BrowserRequest[]>;
  begin(): void;
};

export function createDeliveryRecorder(): DeliveryRecorder {
  const keyStates = new Map<Browser, Map<string, KeyState>>();
  const requestsByBrowser = new Map<Browser, BrowserRequest[]>();
  const workspaceWideCounts = new Map<Browser, number>();
  const unexpectedRequests: UnexpectedRequest[] = [];
  const statuses: Record<string, number> = {};
  const times: TimesByName = {};
  const timesByPath: TimesByName = {};
  let requests = 0;
  let shownCount = 0;
  let isCounting = false;

  const keyStateOf = (browser: Browser, key: string): KeyState => {
    const browserStates = keyStates.get(browser) ?? new Map<string, KeyState>();
    keyStates.set(browser, browserStates);
    const keyState = browserStates.get(key) ?? {
      pending: [],
      requestedAt: 0,
      unrequested: [],
      coveredUntil: Number.NEGATIVE_INFINITY,
    };
    browserStates.set(key, keyState);
    return keyState;
  };
  const resolvePending = (key: string, keyState: KeyState, data: unknown) => {
    keyState.pending = keyState.pending.filter(({ at, isShownIn }) => {
      if (!isShownIn(key, data, performance.now())) return true;
      const durationMs = performance.now() - at;
      recordTime(times, isWorkspaceWide(key) ? 'workspaceWide' : 'narrow', durationMs);
      recordTime(timesByPath, pathOf(key).split('?')[0] ?? key, durationMs);
      return false;
    });
  };
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    onRequest(request) {
      // Ignores requests that a browser sends while it opens.
      if (!isCounting) return;
      const { browser, key, requestedAt } = request;
      const keyState = keyStateOf(browser, key);
      requests += 1;
      requestsByBrowser.set(browser, [...(requestsByBrowser.get(browser) ?? []), request]);
      if (isWorkspaceWide(key)) count(workspaceWideCounts, browser);
      const kind = consumeChanges(keyState, request);
      if (kind) unexpectedRequests.push({ kind, path: pathOf(key), screen: browser.screen.name, after: request.after });
      keyState.requestedAt = requestedAt;
    },
    onData(browser, key, data) {
      if (isCounting) resolvePending(key, keyStateOf(browser, key), data);
    },
    onFailure(status) {
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    expect(browsers, change) {
      const affected: KeyState[] = [];
      const unrequested: UnrequestedChange = { id: change.id, madeAt: Number.POSITIVE_INFINITY };
      for (const browser of browsers) {
        const keys = browser.screen.keys.filter((key) =>
          change.affects(key, browser.cachedData(key), browser.user._id),
        );
        if (keys.length > 0) shownCount += 1;
        for (const key of keys) {
          const keyState = keyStateOf(browser, key);
          keyState.pending.push(change);
          keyState.unrequested.push(unrequested);
          affected.push(keyState);
        }
      }
      const finish = () => {
        unrequested.madeAt = performance.now();
      };
      return {
        succeeded: finish,
        failed() {
          for (const keyState of affected) keyState.pending = keyState.pending.filter((pending) => pending !== change);
          finish();
        },
      };
    },
    times,
    timesByPath,
    requests: () => requests,
    shownCount: () => shownCount,
    unexpectedRequests: () => unexpectedRequests,
    notShown: () =>
      [...keyStates.values()].flatMap((browserStates) =>
        [...browserStates].flatMap(([key, { pending }]) => pending.map(() => key)),
      ),
    statuses: () => statuses,
    workspaceWide() {
      const counts = [...workspaceWideCounts.values()];
      const sum = counts.reduce((total, requestCount) => total + requestCount, 0);
      return { max: Math.max(0, ...counts), mean: counts.length === 0 ? 0 : sum / counts.length };
    },
    perBrowser: () => requestsByBrowser,
    begin() {
      isCounting = true;
    },
  };
}

/** Whether many browsers show the response: it is not of one project or conversation. */
const isWorkspaceWide = (key: string) => !/\/[0-9a-f]{24}/.test(key.split('?', 1)[0] ?? '');

const pathOf = (key: string) => key.replace(/[0-9a-f]{24}/g, ':id');

/** Removes the changes that a request is for. Returns the kind of unexpected request if there are none. */
function consumeChanges(keyState: KeyState, { requestedAt }: BrowserRequest): UnexpectedRequestKind | undefined {
  const { unrequested } = keyState;
  if (unrequested.length === 0)
    return keyState.requestedAt - keyState.coveredUntil < UPDATE_DELAY_MS ? 'late update' : 'other';
  const committed = unrequested.filter(({ madeAt }) => madeAt <= requestedAt);
  keyState.coveredUntil = Math.max(keyState.coveredUntil, ...committed.map(({ madeAt }) => madeAt));
  keyState.unrequested = unrequested.filter((change) => !committed.includes(change));
  return undefined;
}
