import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { clearTokens } from '#lib/api/tokens.ts';
import { startSession } from '#lib/session/session.ts';
import { saveDraft } from '../src/lib/forms/drafts.ts';
import { listUserScopedStores } from '../src/lib/session/user-scoped-store.ts';
import { buildUser } from './build-user.ts';
import { signInAs } from './sign-in-as.ts';

const SOURCES = join(import.meta.dirname, '../src');

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(SOURCES, path), 'utf8') }));

/** Matches `createUserScopedStore`, or the parameter under which other code receives it. */
const STORE_CREATION = /^(?:const \w+ = createUserScopedStore\b| {2}const \w+ = createState\()/gm;
/** Matches module state: a variable, or a mutable collection. Constants in capitals are neither. */
const MODULE_STATE = /^(?:export )?(?:let (\w+)|const ([a-z]\w*)(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet)\b)/gm;

/** Lists the module state that belongs to no user, with the reason. */
const NOT_USER_STATE: Readonly<Record<string, string>> = {
  'app/shell/loading/fetch-chunks.ts loadedChunks': 'chunks of the app',
  'app/shell/loading/fetch-chunks.ts isRunning': 'chunks of the app',
  'app/shell/loading/loaded-chunks.ts areLoaded': 'chunks of the app',
  'app/router/error-boundary.tsx reportedMessages': 'errors of the app, each reported once per page',
  'app/shell/banners/availability.ts availability': 'the server',
  'app/shell/banners/availability.ts nextCheck': 'the server',
  'app/shell/banners/availability.ts isDismissed': 'the server',
  'app/shell/banners/availability.ts pendingCheck': 'the server',
  'app/shell/banners/new-version.ts isOffered': 'the release',
  'app/shell/banners/new-version.ts checkedAt': 'the release',
  'entities/notification/use-notifications.ts seenAt': 'whether the user looked at the page',
  'features/chat/files/use-player.ts playing': 'a mounted element, which stops when it is unmounted',
  'features/chat/markdown/parse-in-worker.ts isRunning': 'the worker',
  'features/chat/markdown/parse-in-worker.ts worker': 'the worker',
  'features/chat/markdown/parsed-messages.ts inFlight': 'texts until they are parsed',
  'features/chat/markdown/parsed-messages.ts tools': 'chunks of the app',
  'features/chat/markdown/parsed-messages.ts version': 'how often texts were parsed',
  'features/chat/mentions/emoji-shortcodes.ts loading': 'the names of emoji',
  'features/chat/messages/message-rows.ts messageRows': 'rows of messages, which it does not keep',
  'features/notifications/device/push-subscription.ts ending': 'the browser, before the next user subscribes it',
  'lib/after-pointer-up.ts isPressed': 'the pointer',
  'lib/forms/drafts.ts signedOutUsers': 'users who have logged out, whose input is no longer stored',
  'lib/forms/drafts.ts isDeletionSuspended': 'reset in the next tick',
  'lib/forms/unsaved-changes.ts confirmLeave': 'the router',
  'lib/forms/unsaved-changes.ts navigationBlockers': 'mounted forms, which remove themselves',
  'lib/forms/unsaved-changes.ts isUnblocked': 'the router',
  'lib/forms/unsaved-changes.ts unloadBlockers': 'derived from work such as uploads, which is in a store',
  'lib/single-key-shortcuts.ts hasTypedLatin': 'the keyboard',
  'lib/lazy.ts loader': 'chunks of the app',
  'lib/session/user-scoped-store.ts storeEntries': 'the stores themselves',
  'lib/session/user-scoped-store.ts owner': 'the current user',
  'lib/api/refresh-tokens.ts lastHolder': 'the order of refreshes, without their tokens',
  'lib/api/refresh-tokens.ts pause': 'contains the token it applies to',
  'lib/api/refresh-tokens.ts pendingRefresh': 'checks for a different user before it returns',
  'lib/session/session.ts failures': 'the session itself',
  'lib/session/session.ts retryTimer': 'the session itself',
  'lib/session/session.ts session': 'the session itself',
  'lib/session/session.ts generation': 'the session itself',
  'lib/hooks/use-media.ts isPrinting': 'the printer',
  'lib/hooks/use-now.ts listeners': 'the time',
  'lib/hooks/use-now.ts timer': 'the time',
  'lib/time/time-notation.ts notations': 'time notations of languages',
  'lib/window-focus.ts lastInputAt': 'the keyboard and the pointer',
  'realtime/connection/status.ts status': 'the connection',
  'realtime/connection/status.ts wasConnected': 'the connection',
  'realtime/replace-references.ts idsByItem': 'keyed by items, which are in the cache of a user',
  'lib/query/query-cache.ts responses': 'keyed by responses, which are in the cache of a user',
  'lib/query/swr-config.ts refetchByCache': 'keyed by the cache, which is per user',
  'ui/overlays/toast.ts count': 'the visible toasts',
  'ui/overlays/toast.ts isHeld': 'the visible toasts',
  'ui/overlays/toast.ts remainingMs': 'the visible toasts',
  'ui/overlays/toast.ts queue': 'the visible toasts; a store has the ids of those shown to the user',
  'ui/overlays/toast.ts startedAt': 'the visible toasts',
  'ui/pages/document-title.ts title': 'the screen',
  'ui/pages/document-title.ts unread': 'a count, reset when the session ends',
  'ui/overlays/toast.ts timer': 'the visible toasts',
};

const ada = buildUser('a');
const bob = buildUser('b');

beforeAll(async () => {
  startSession();
  for (const { path, text } of sources) if (text.match(STORE_CREATION)) await import(join(SOURCES, path));
});

beforeEach(() => signInAs(ada));
afterEach(() => clearTokens());

it('user-scoped stores hold all module state of a user', () => {
  const moduleState = sources.flatMap(({ path, text }) =>
    [...text.matchAll(MODULE_STATE)].map(([, variable, constant]) => `${path} ${variable ?? constant}`),
  );
  expect(moduleState.sort()).toEqual(Object.keys(NOT_USER_STATE).sort());
});

it('user-scoped stores are all registered', () => {
  const creations = sources.flatMap(({ text }) => text.match(STORE_CREATION) ?? []);
  expect(creations.length).toBeGreaterThan(10);
  expect(listUserScopedStores()).toHaveLength(creations.length);
});

const SESSION_ENDS: [string, () => void][] = [
  ['logs out', () => clearTokens(true)],
  ['loses the session', () => clearTokens()],
  ['is replaced by a different user', () => signInAs(bob)],
];

it.each(SESSION_ENDS)('user-scoped stores are all reset when the user %s', (_, leave) => {
  const stores = listUserScopedStores();
  const initialStates = stores.map((store) => structuredClone(store.get()));
  // Uses a copy of the same shape, which cleanup can iterate.
  const adaStates = stores.map((store) => store.change(ada._id, () => structuredClone(store.get())));
  expect(stores.map((store) => store.get())).toEqual(initialStates);
  leave();
  for (const [index, store] of stores.entries()) {
    expect(store.owner()).not.toBe(ada._id);
    expect(store.get()).not.toBe(adaStates[index]);
    expect(store.get()).toEqual(initialStates[index]);
  }
});

it.each(SESSION_ENDS)('user-scoped stores ignore changes by a user who %s', (_, leave) => {
  leave();
  for (const store of listUserScopedStores()) {
    const currentState = store.get();
    store.change(ada._id, () => structuredClone(currentState));
    expect(store.get()).toBe(currentState);
  }
});

it('user-scoped stores are all reset before any notifies its subscribers', () => {
  const stores = listUserScopedStores();
  const adaStates = stores.map((store) => store.change(ada._id, () => structuredClone(store.get())));
  const remainingCounts: number[] = [];
  const countRemaining = () =>
    remainingCounts.push(stores.filter((store, index) => store.get() === adaStates[index]).length);
  const stops = stores.map((store) => store.subscribe(countRemaining));
  signInAs(bob);
  for (const stop of stops) stop();
  expect(remainingCounts.length).toBeGreaterThanOrEqual(stores.length);
  expect(new Set(remainingCounts)).toEqual(new Set([0]));
});

it('logging out leaves nothing of a user on the device except a sign-out marker', () => {
  localStorage.clear();
  signInAs(ada);
  saveDraft(ada._id, 'project:new', 'a plan');
  expect(Object.keys(localStorage)).toContain(`atrium:draft:${ada._id}:project:new`);
  clearTokens(true);
  expect(Object.keys(localStorage)).toEqual(['atrium:left']);
});
