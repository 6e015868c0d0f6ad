import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { conversationType } from '@atrium/proto-events/http/chat';
import { visibility } from '@atrium/proto-events/http/documents';
import { role } from '@atrium/proto-events/people';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import { ITEM_TOPICS } from '@atrium/proto-events/topics';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { openBox, type System, startSystemIn, type WatchedBox } from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLENTY } from './roles/table.ts';
import { type Cast, createActors, ROLE_OF } from './visibility/actors.ts';
import { askForEverything, nameOf, parametersOf, type Received } from './visibility/ask.ts';
import { changeAll, noteNotices, takeOut } from './visibility/changes.ts';
import { CALLS, LIVE_SAID, PARAMETERS, SAID, TOPICS_OF } from './visibility/channels.ts';
import { countAll, STEPS, whoseChanged } from './visibility/counts.ts';
import { readFeeds } from './visibility/feeds.ts';
import { findSights, mayLearn, type Sight } from './visibility/judge.ts';
import { CHANNELS, KIND_NAMES, ofKind, RESOURCES } from './visibility/kinds.ts';
import { forgeLinks, openLinks } from './visibility/links.ts';
import { listen, readPosition, type SocketListener } from './visibility/listen.ts';
import { emptyMailbox, readMails } from './visibility/mails.ts';
import { furnish, type World } from './visibility/visibility-fixture.ts';

let watched: WatchedBox;
let system: System;
let stores: Stores;
let actors: Cast;
let world: World;
let ears: SocketListener;
let sights: Sight[];

const atRest = () =>
  waitFor(async () => (await findPendingWork(stores)).length === 0, {
    what: 'the system to come to rest',
    everyMs: 100,
  });

/** Everything that comes to anybody once people have been taken out, by every way there is. */
async function gather(): Promise<Received[]> {
  const position = await readPosition({ url: system.url, actors });
  world = await furnish(system.url, actors);
  await takeOut(world);
  await atRest();
  await emptyMailbox(system.mailboxUrl ?? '');
  ears = await listen(world, position);
  await changeAll(world);
  await ears.sayEverything();
  await atRest();
  await noteNotices(world);
  const answers = await askForEverything(world);
  await ears.settle();
  const mails = await readMails(system.mailboxUrl ?? '', actors);
  const links = [...(await openLinks(answers)), ...(await forgeLinks(answers))];
  const feeds = await readFeeds(system.url, actors);
  return [...ears.received, ...answers, ...mails, ...links, ...feeds];
}

beforeAll(async () => {
  watched = openBox({ env: { ...PLENTY, MAX_SOCKET_EVENTS_PER_MINUTE: '100000' } });
  system = await startSystemIn(watched);
  stores = await openStores(system, watched.box);
  actors = await createActors(system.url);
  const received = await gather();
  sights = findSights(world, received);
}, 600_000);
afterAll(async () => {
  ears?.close();
  await stores?.close();
  try {
    await system?.stop();
  } finally {
    await watched?.box.guard.close();
  }
}, 90_000);

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe('every kind of thing comes to those who may see it, by every way that is its own, and to nobody else', () => {
  it.each(KIND_NAMES)('%s', (kind) => {
    const { sees, shownIn } = ofKind(kind);
    const of = sights.filter((sight) => sight.kind === kind);
    expect(
      of.filter((sight) => !mayLearn(sight)).map(({ who, channel, from }) => `${who}, ${channel}: ${from}`),
    ).toEqual([]);
    expect({ seenBy: sorted(of.map(({ who }) => who)), in: sorted(of.map(({ channel }) => channel)) }).toEqual({
      seenBy: sorted(sees),
      in: sorted(shownIn),
    });
  });

  it('and nobody comes in who is nobody', () => {
    expect(sorted(ears.refused)).toEqual(['anonymous', 'deactivated']);
  });
});

it('numbers go up for those alone who may see what was added', async () => {
  const expected = STEPS.map(({ what, moves }) => [what, sorted(moves)]);
  const found: [string, string[]][] = [];
  let before = await countAll(actors);
  for (const { what, run } of STEPS) {
    await run(world);
    const after = await countAll(actors);
    found.push([what, sorted(whoseChanged(before, after))]);
    before = after;
  }
  expect(found).toEqual(expected);
});

describe('has a row for', () => {
  const inRows = (...of: (readonly string[])[]) => sorted(of.flat());
  const endpoints = ALL_ENDPOINTS.map(({ endpoint }) => endpoint);

  it('every call, and every parameter by which one is asked', () => {
    expect(sorted(Object.keys(CALLS))).toEqual(sorted(endpoints.map(nameOf)));
    const known = [...Object.keys(PARAMETERS), 'search', 'ids', 'conversation', 'scope'];
    expect(sorted(endpoints.flatMap(parametersOf)).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('everything that sockets may say, and every topic', () => {
    expect(sorted(Object.keys(SAID))).toEqual(sorted(Object.keys(chatClientPayloads)));
    expect(sorted(Object.keys(LIVE_SAID))).toEqual(sorted(Object.keys(liveClientPayloads)));
    expect(sorted(Object.keys(TOPICS_OF))).toEqual(sorted(ITEM_TOPICS));
  });

  it('every kind of conversation, message and document, and every role', () => {
    const types = conversationType.options;
    const needed = inRows(
      types.map((type) => `conversation ${type}`),
      types.map((type) => `message ${type}`),
      visibility.options.map((one) => `document ${one}`),
      Object.values(RESOURCES).flat(),
    );
    expect(needed.filter((kind) => !KIND_NAMES.some((name) => name === kind))).toEqual([]);
    expect(sorted(Object.values(ROLE_OF))).toEqual(sorted(role.options));
  });

  it('every channel a kind that comes by it', () => {
    expect(sorted(KIND_NAMES.flatMap((kind) => ofKind(kind).shownIn))).toEqual(sorted(CHANNELS));
  });
});
