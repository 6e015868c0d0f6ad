import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { conversationType } from '@atrium/proto-events/http/chat';
import { visibility } from '@atrium/proto-events/http/documents';
import { ITEM_TOPICS } from '@atrium/proto-events/live-updates/topics';
import { role } from '@atrium/proto-events/people';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import {
  createWatchedContext,
  type System,
  startSystemIn,
  type WatchedContext,
} from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TABLE_LIMITS } from './roles/table.ts';
import { type Actors, createActors, ROLE_OF } from './visibility/actors.ts';
import { callEveryEndpoint, nameOf, parametersOf, type Received } from './visibility/call-endpoints.ts';
import { changeAll, recordNotifications, removeUsers } from './visibility/changes.ts';
import { CALLS, CHAT_CLIENT_EVENTS, LIVE_CLIENT_EVENTS, PARAMETERS, TOPICS_OF } from './visibility/channels.ts';
import { countAll, findChangedUsers, STEPS } from './visibility/counts.ts';
import { emptyMailbox, readEmails } from './visibility/emails.ts';
import { readFeeds } from './visibility/feeds.ts';
import { canSee, type Exposure, findExposures } from './visibility/find-exposures.ts';
import { CHANNELS, KIND_NAMES, ofKind, RESOURCES } from './visibility/kinds.ts';
import { forgeLinks, openLinks } from './visibility/links.ts';
import { listen, readPosition, type SocketListener } from './visibility/listen.ts';
import { createVisibilityFixture, type VisibilityFixture } from './visibility/visibility-fixture.ts';

let watched: WatchedContext;
let system: System;
let stores: Stores;
let actors: Actors;
let fixture: VisibilityFixture;
let listener: SocketListener;
let exposures: Exposure[];

const waitUntilIdle = () =>
  waitFor(async () => (await findPendingWork(stores)).length === 0, {
    description: 'the system to be idle',
    intervalMs: 100,
  });

/** Everything that reaches the actors through any channel after users have been removed. */
async function collectReceived(): Promise<Received[]> {
  const position = await readPosition({ url: system.url, actors });
  fixture = await createVisibilityFixture(system.url, actors);
  await removeUsers(fixture);
  await waitUntilIdle();
  await emptyMailbox(system.mailboxUrl ?? '');
  listener = await listen(fixture, position);
  await changeAll(fixture);
  await listener.emitAllEvents();
  await waitUntilIdle();
  await recordNotifications(fixture);
  const responses = await callEveryEndpoint(fixture);
  await listener.settle();
  const mails = await readEmails(system.mailboxUrl ?? '', actors);
  const links = [...(await openLinks(responses)), ...(await forgeLinks(responses))];
  const feeds = await readFeeds(system.url, actors);
  return [...listener.received, ...responses, ...mails, ...links, ...feeds];
}

beforeAll(async () => {
  watched = createWatchedContext({ env: { ...TABLE_LIMITS, MAX_SOCKET_EVENTS_PER_MINUTE: '100000' } });
  system = await startSystemIn(watched);
  stores = await openStores(system, watched.context);
  actors = await createActors(system.url);
  const received = await collectReceived();
  exposures = findExposures(fixture, received);
}, 600_000);
afterAll(async () => {
  listener?.close();
  await stores?.close();
  try {
    await system?.stop();
  } finally {
    await watched?.context.reaper.close();
  }
});

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe('every kind of data reaches only the users who can see it, through all of its channels', () => {
  it.each(KIND_NAMES)('%s', (kind) => {
    const { sees, shownIn } = ofKind(kind);
    const of = exposures.filter((sight) => sight.kind === kind);
    expect(of.filter((sight) => !canSee(sight)).map(({ who, channel, from }) => `${who}, ${channel}: ${from}`)).toEqual(
      [],
    );
    expect({ seenBy: sorted(of.map(({ who }) => who)), in: sorted(of.map(({ channel }) => channel)) }).toEqual({
      seenBy: sorted(sees),
      in: sorted(shownIn),
    });
  });

  it('rejects sockets of anonymous and deactivated users', () => {
    expect(sorted(listener.rejectedUsers)).toEqual(['anonymous', 'deactivated']);
  });
});

it('counts change only for users who can see what was added', async () => {
  const expected = STEPS.map(({ what, moves }) => [what, sorted(moves)]);
  const found: [string, string[]][] = [];
  let before = await countAll(actors);
  for (const { what, run } of STEPS) {
    await run(fixture);
    const after = await countAll(actors);
    found.push([what, sorted(findChangedUsers(before, after))]);
    before = after;
  }
  expect(found).toEqual(expected);
});

describe('the visibility tables', () => {
  const inRows = (...of: (readonly string[])[]) => sorted(of.flat());
  const endpoints = ALL_ENDPOINTS.map(({ endpoint }) => endpoint);

  it('list every endpoint and every query parameter', () => {
    expect(sorted(Object.keys(CALLS))).toEqual(sorted(endpoints.map(nameOf)));
    const known = [...Object.keys(PARAMETERS), 'search', 'ids', 'conversation', 'scope'];
    expect(sorted(endpoints.flatMap(parametersOf)).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('list every client event of sockets, and every topic', () => {
    expect(sorted(Object.keys(CHAT_CLIENT_EVENTS))).toEqual(sorted(Object.keys(chatClientPayloads)));
    expect(sorted(Object.keys(LIVE_CLIENT_EVENTS))).toEqual(sorted(Object.keys(liveClientPayloads)));
    expect(sorted(Object.keys(TOPICS_OF))).toEqual(sorted(ITEM_TOPICS));
  });

  it('list every kind of conversation, message, and document, and every role', () => {
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

  it('list a kind for every channel', () => {
    expect(sorted(KIND_NAMES.flatMap((kind) => ofKind(kind).shownIn))).toEqual(sorted(CHANNELS));
  });
});
