import { isWorkspaceWide } from '@atrium/web/realtime/topics';
import { recordTime, type TimesByName } from '../figures.ts';
import type { Browser, BrowserObserver, BrowserRequest } from './browser.ts';

/** A change in flight, and how to recognize it on a screen. */
export type ExpectedChange = {
  /** The id of the changed item. */
  id: string;
  /** `performance.now()` before the write, so latencies include it. */
  at: number;
  /** Whether the change affects the data under a key of a user. */
  affects: (key: string, data: unknown, person: string) => boolean;
  /** Whether the data contains the change, or a later one. */
  isShownIn: (key: string, data: unknown, requestedAt: number) => boolean;
};

/** A change that is not shown yet; `madeAt` is infinite while the write is in flight. */
type Differing = { id: string; madeAt: number };
/** `differing`: changes that no request was for. `coveredUntil`: the time of the latest change that a request was for. */
type KeyState = { pending: ExpectedChange[]; requestedAt: number; differing: Differing[]; coveredUntil: number };

/** A request within this time after a change may precede its update. */
const UPDATE_DELAY_MS = 1_000;

/**
 * Requests without a visible reason. `late update`: the previous request came after the change but before its update, so its response already
 * had the change. `other`: nothing had changed.
 */
export type UnexpectedRequestKind = 'late update' | 'other';
export type UnexpectedRequest = { kind: UnexpectedRequestKind; path: string; screen: string; after: string };

/** Latencies in milliseconds: `mine` for lists of one project or conversation, `workspaceWide` for workspace-wide lists. */
export type DeliveryRecorder = BrowserObserver & {
  /** Registers a change before its write; the caller then reports whether it succeeded. */
  expect(browsers: readonly Browser[], change: ExpectedChange): { succeeded(): void; failed(): void };
  times: TimesByName;
  /** The same by path. */
  timesByPath: TimesByName;
  /** Since `begin`. */
  requests(): number;
  /** Pairs of a change and a browser that shows it. */
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
  let [requests, shownCount, isCounting] = [0, 0, false];

  const keyStateOf = (browser: Browser, key: string): KeyState => {
    const ofBrowser = keyStates.get(browser) ?? new Map<string, KeyState>();
    keyStates.set(browser, ofBrowser);
    const keyState = ofBrowser.get(key) ?? {
      pending: [],
      requestedAt: 0,
      differing: [],
      coveredUntil: Number.NEGATIVE_INFINITY,
    };
    ofBrowser.set(key, keyState);
    return keyState;
  };
  const settle = (key: string, keyState: KeyState, data: unknown) => {
    keyState.pending = keyState.pending.filter(({ at, isShownIn }) => {
      if (!isShownIn(key, data, keyState.requestedAt)) return true;
      const durationMs = performance.now() - at;
      recordTime(times, isWorkspaceWide(key) ? 'workspaceWide' : 'mine', durationMs);
      recordTime(timesByPath, pathOf(key).split('?')[0] ?? key, durationMs);
      return false;
    });
  };
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    onRequest(request) {
      // The first requests come while the browser opens.
      if (!isCounting) return;
      const { browser, key, requestedAt } = request;
      const keyState = keyStateOf(browser, key);
      requests += 1;
      requestsByBrowser.set(browser, [...(requestsByBrowser.get(browser) ?? []), request]);
      if (isWorkspaceWide(key)) count(workspaceWideCounts, browser);
      const kind = consumeDiffering(keyState, request);
      if (kind) unexpectedRequests.push({ kind, path: pathOf(key), screen: browser.screen.name, after: request.after });
      keyState.requestedAt = requestedAt;
    },
    shown(browser, key, data) {
      if (isCounting) settle(key, keyStateOf(browser, key), data);
    },
    failed(status) {
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    expect(browsers, change) {
      const affected: KeyState[] = [];
      const differing: Differing = { id: change.id, madeAt: Number.POSITIVE_INFINITY };
      for (const browser of browsers) {
        const keys = browser.screen.keys.filter((key) =>
          change.affects(key, browser.cachedData(key), browser.person._id),
        );
        if (keys.length > 0) shownCount += 1;
        for (const key of keys) {
          const keyState = keyStateOf(browser, key);
          keyState.pending.push(change);
          keyState.differing.push(differing);
          affected.push(keyState);
        }
      }
      const finish = () => {
        differing.madeAt = performance.now();
      };
      return {
        succeeded: finish,
        failed() {
          for (const keyState of affected) keyState.pending = keyState.pending.filter((one) => one !== change);
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
      [...keyStates.values()].flatMap((ofBrowser) =>
        [...ofBrowser].flatMap(([key, { pending }]) => pending.map(() => key)),
      ),
    statuses: () => statuses,
    workspaceWide() {
      const counts = [...workspaceWideCounts.values()];
      const sum = counts.reduce((total, one) => total + one, 0);
      return { max: Math.max(0, ...counts), mean: counts.length === 0 ? 0 : sum / counts.length };
    },
    perBrowser: () => requestsByBrowser,
    begin() {
      isCounting = true;
    },
  };
}

const pathOf = (key: string) => key.replace(/[0-9a-f]{24}/g, ':id');

/** Consumes the changes that a request is for; returns the kind of unexpected request if there are none. */
function consumeDiffering(keyState: KeyState, { ids, requestedAt }: BrowserRequest): UnexpectedRequestKind | undefined {
  const isFor = ({ id }: Differing) => !ids || ids.has(id);
  const matching = keyState.differing.filter(isFor);
  if (matching.length === 0)
    return keyState.requestedAt - keyState.coveredUntil < UPDATE_DELAY_MS ? 'late update' : 'other';
  const written = matching.filter(({ madeAt }) => madeAt <= requestedAt);
  keyState.coveredUntil = Math.max(keyState.coveredUntil, ...written.map(({ madeAt }) => madeAt));
  keyState.differing = keyState.differing.filter((one) => !written.includes(one));
  return undefined;
}
