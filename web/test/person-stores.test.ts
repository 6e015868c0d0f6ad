import './browser-gaps.ts';
import './retry-timeouts.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { saveDraft } from '../src/lib/forms/drafts.ts';
import { startSession } from '../src/lib/session/session.ts';
import { clearTokens } from '../src/lib/session/tokens.ts';
import { everyUserScopedStore } from '../src/lib/session/user-scoped-store.ts';
import { buildUser } from './a-person.ts';
import { signInAs } from './sign-in-as.ts';

const SOURCES = join(import.meta.dirname, '../src');

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(SOURCES, path), 'utf8') }));

/** By its name, or by the one under which what the load has in common with the app is given it. */
const MAKES_STORE = /^(?:const \w+ = createUserScopedStore\b| {2}const \w+ = personal\()/gm;
/** What a module holds from its first load to the end of the page: a variable, or something that is filled. Constants in capitals are neither. */
const HELD = /^(?:export )?(?:let (\w+)|const ([a-z]\w*)(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet)\b)/gm;

/** What is held and is of no person, with why. */
const OF_NOBODY: Readonly<Record<string, string>> = {
  'app/router/prefetch-chunks.ts here': 'pieces of the app',
  'app/router/prefetch-chunks.ts isRunning': 'pieces of the app',
  'app/router/loaded-chunks.ts areAllHere': 'pieces of the app',
  'app/router/report-error.ts told': 'faults of the app, each told once a page',
  'app/shell/availability.ts availability': 'the server',
  'app/shell/availability.ts following': 'the server',
  'app/shell/availability.ts isDismissed': 'the server',
  'app/shell/availability.ts underWay': 'the server',
  'app/shell/new-version.ts isOffered': 'the release',
  'app/shell/new-version.ts lookedAt': 'the release',
  'lib/after-pointer-up.ts isPressed': 'the pointer',
  'features/chat/log/current-senders.ts isFollowing': 'whether names are followed, from the first time on',
  'lib/forms/drafts.ts gone': 'who has logged out, of whom nothing is kept',
  'lib/forms/drafts.ts isSpared': 'a moment',
  'lib/forms/navigation-blocker.ts ask': 'the router',
  'lib/forms/navigation-blocker.ts forms': 'what is on the screen, and goes with it',
  'lib/forms/navigation-blocker.ts freeSteps': 'the router',
  'lib/forms/navigation-blocker.ts works': 'follows what goes on, such as the uploads, which are a store',
  'lib/key-letter.ts wroteLatin': 'the keyboard',
  'lib/lazy.ts way': 'pieces of the app',
  'lib/session/user-scoped-store.ts followers': 'the stores themselves',
  'lib/session/user-scoped-store.ts owner': 'who it is',
  'lib/session/refresh.ts lastHolder': 'an order of renewals, without what they are of',
  'lib/session/refresh.ts resting': 'names the token that it is about',
  'lib/session/refresh.ts underWay': 'looks, before it answers, whether somebody else has come',
  'lib/session/session.ts failures': 'the session itself',
  'lib/session/session.ts nextTry': 'the session itself',
  'lib/session/session.ts session': 'the session itself',
  'lib/session/session.ts turn': 'the session itself',
  'lib/hooks/use-is-printing.ts isBetween': 'the printer',
  'lib/hooks/use-now.ts listeners': 'the time',
  'lib/hooks/use-now.ts timer': 'the time',
  'lib/time-notation.ts notations': 'how languages write times of day',
  'realtime/status.ts status': 'the connection',
  'realtime/status.ts wasConnected': 'the connection',
  'realtime/use-refetch.ts known': 'by the cache, which is one per person',
  'ui/overlays/toast.ts count': 'what is on the screen, for some seconds',
  'ui/overlays/toast.ts isHeld': 'what is on the screen, for some seconds',
  'ui/overlays/toast.ts left': 'what is on the screen, for some seconds',
  'ui/overlays/toast.ts queue': 'what is on the screen, for some seconds; a store has which of it is told to whom',
  'ui/overlays/toast.ts since': 'what is on the screen, for some seconds',
  'ui/pages/document-title.ts title': 'the screen',
  'ui/pages/document-title.ts unread': 'a count, set to none as the session ends',
  'ui/overlays/toast.ts timer': 'what is on the screen, for some seconds',
};

const ada = buildUser('a');
const bob = buildUser('b');

beforeAll(async () => {
  startSession();
  for (const { path, text } of sources) if (text.match(MAKES_STORE)) await import(join(SOURCES, path));
});

beforeEach(() => signInAs(ada));
afterEach(() => clearTokens());

it('holds nothing of a person beside the stores', () => {
  const held = sources.flatMap(({ path, text }) =>
    [...text.matchAll(HELD)].map(([, variable, constant]) => `${path} ${variable ?? constant}`),
  );
  expect(held.sort()).toEqual(Object.keys(OF_NOBODY).sort());
});

it('knows every store', () => {
  const made = sources.flatMap(({ text }) => text.match(MAKES_STORE) ?? []);
  expect(made.length).toBeGreaterThan(10);
  expect(everyUserScopedStore()).toHaveLength(made.length);
});

const LEAVINGS: [string, () => void][] = [
  ['logs out', () => clearTokens(true)],
  ['has lost the session', () => clearTokens()],
  ['is followed by somebody else', () => signInAs(bob)],
];

it.each(LEAVINGS)('begins every store anew when somebody %s', (_, leave) => {
  const stores = everyUserScopedStore();
  const begun = stores.map((store) => structuredClone(store.get()));
  // Another of the same shape, which what is to happen on leaving can go through.
  const theirs = stores.map((store) => store.change(ada._id, () => structuredClone(store.get())));
  expect(stores.map((store) => store.get())).toEqual(begun);
  leave();
  for (const [index, store] of stores.entries()) {
    expect(store.owner()).not.toBe(ada._id);
    expect(store.get()).not.toBe(theirs[index]);
    expect(store.get()).toEqual(begun[index]);
  }
});

it.each(LEAVINGS)('takes nothing from somebody who %s', (_, leave) => {
  leave();
  for (const store of everyUserScopedStore()) {
    const present = store.get();
    store.change(ada._id, () => structuredClone(present));
    expect(store.get()).toBe(present);
  }
});

it('has begun every store anew before any of them tells so', () => {
  const stores = everyUserScopedStore();
  const theirs = stores.map((store) => store.change(ada._id, () => structuredClone(store.get())));
  const left: number[] = [];
  const look = () => left.push(stores.filter((store, index) => store.get() === theirs[index]).length);
  const stops = stores.map((store) => store.subscribe(look));
  signInAs(bob);
  for (const stop of stops) stop();
  expect(left.length).toBeGreaterThanOrEqual(stores.length);
  expect(new Set(left)).toEqual(new Set([0]));
});

it('leaves nothing on the device of who logs out, but that they have', () => {
  localStorage.clear();
  signInAs(ada);
  saveDraft(ada._id, 'project:new', 'a plan');
  expect(Object.keys(localStorage)).toContain(`atrium:draft:${ada._id}:project:new`);
  clearTokens(true);
  expect(Object.keys(localStorage)).toEqual(['atrium:left']);
});
