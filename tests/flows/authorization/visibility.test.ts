import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { ITEM_TAGS } from '@atrium/proto-events/change-tags';
import { conversationType } from '@atrium/proto-events/http/chat/conversations';
import { visibility } from '@atrium/proto-events/http/documents';
import { role } from '@atrium/proto-events/people';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import {
  createWatchedContext,
  type System,
  startSystemIn,
  type WatchedContext,
} from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitUntilAllSent } from '@atrium/test-kit/system/wait-until-idle';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TABLE_LIMITS } from './roles/table.ts';
import { type Actors, createActors, ROLE_OF } from './visibility/actors.ts';
import {
  callEveryEndpoint,
  describeEndpoint,
  listQueryParameters,
  type Received,
} from './visibility/call-endpoints.ts';
import { changeAll, recordNotifications, removeUsers } from './visibility/changes.ts';
import { CALLS, PARAMETERS } from './visibility/channels.ts';
import { countAll, findChangedUsers, STEPS } from './visibility/counts.ts';
import { emptyMailbox, readEmails } from './visibility/emails.ts';
import { readFeeds } from './visibility/feeds.ts';
import { canSee, type Exposure, findExposures } from './visibility/find-exposures.ts';
import type { VisibilityFixture } from './visibility/fixture-resources.ts';
import { CHANNELS, getKind, KIND_NAMES, RESOURCES } from './visibility/kinds.ts';
import { forgeLinks, openLinks } from './visibility/links.ts';
import { listen, readChanges, readPosition, type SocketListener } from './visibility/listen.ts';
import { CHAT_CLIENT_EVENTS, ITEM_TAG_SETS, LIVE_CLIENT_EVENTS } from './visibility/socket-events.ts';
import { createVisibilityFixture } from './visibility/visibility-fixture.ts';

let watched: WatchedContext;
let system: System;
let stores: Stores;
let actors: Actors;
let fixture: VisibilityFixture;
let listener: SocketListener;
let exposures: Exposure[];

/** Removes users, changes every resource, and collects everything that then reaches the actors through any channel. */
async function collectReceived(): Promise<Received[]> {
  const position = await readPosition({ url: system.url, actors });
  fixture = await createVisibilityFixture(system.url, actors);
  await removeUsers(fixture);
  await waitUntilAllSent(stores);
  await emptyMailbox(system.mailboxUrl ?? '');
  listener = await listen(fixture, position);
  await changeAll(fixture);
  await listener.emitAllEvents();
  await waitUntilAllSent(stores);
  await recordNotifications(fixture);
  const changes = await readChanges(fixture, position);
  const responses = await callEveryEndpoint(fixture);
  await listener.settle();
  const emails = await readEmails(system.mailboxUrl ?? '', actors);
  const links = [...(await openLinks(responses)), ...(await forgeLinks(responses))];
  const feeds = await readFeeds(system.url, actors);
  return [...listener.received, ...changes, ...responses, ...emails, ...links, ...feeds];
}

beforeAll(async () => {
  watched = createWatchedContext({ env: { ...TABLE_LIMITS, MAX_SOCKET_EVENTS_PER_MINUTE: '100000' } });
  system = await startSystemIn(watched);
  stores = await openStores(system, watched.context);
  actors = await createActors(system.url);
  const received = await collectReceived();
  exposures = findExposures(fixture, received);
});
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

describe('a resource', () => {
  it.each(KIND_NAMES)('reaches exactly the users who can see it, through exactly its channels: %s', (kind) => {
    const { sees, shownIn } = getKind(kind);
    const exposuresOfKind = exposures.filter((exposure) => exposure.kind === kind);
    expect(
      exposuresOfKind
        .filter((exposure) => !canSee(exposure))
        .map(({ who, channel, from }) => `${who}, ${channel}: ${from}`),
    ).toEqual([]);
    expect({
      seenBy: sorted(exposuresOfKind.map(({ who }) => who)),
      channels: sorted(exposuresOfKind.map(({ channel }) => channel)),
    }).toEqual({
      seenBy: sorted(sees),
      channels: sorted(shownIn),
    });
  });

  it('cannot reach anonymous and deactivated users through sockets, because their connections are rejected', () => {
    expect(sorted(listener.rejectedUsers)).toEqual(['anonymous', 'deactivated']);
  });
});

it('counts change only for users who can see the added resource', async () => {
  const expected = STEPS.map(({ description, changesCountsOf }) => [description, sorted(changesCountsOf)]);
  const actual: [string, string[]][] = [];
  let before = await countAll(actors);
  for (const { description, run } of STEPS) {
    await run(fixture);
    const after = await countAll(actors);
    actual.push([description, sorted(findChangedUsers(before, after))]);
    before = after;
  }
  expect(actual).toEqual(expected);
});

describe('the visibility tables', () => {
  const endpoints = ALL_ENDPOINTS.map(({ endpoint }) => endpoint);

  it('list every endpoint and every query parameter', () => {
    expect(sorted(Object.keys(CALLS))).toEqual(sorted(endpoints.map(describeEndpoint)));
    const testedParameters = [...Object.keys(PARAMETERS), 'search', 'ids', 'conversation', 'scope'];
    expect(sorted(endpoints.flatMap(listQueryParameters)).filter((name) => !testedParameters.includes(name))).toEqual(
      [],
    );
  });

  it('list every client event of sockets and every tag of one resource', () => {
    expect(sorted(Object.keys(CHAT_CLIENT_EVENTS))).toEqual(sorted(Object.keys(chatClientPayloads)));
    expect(sorted(Object.keys(LIVE_CLIENT_EVENTS))).toEqual(sorted(Object.keys(liveClientPayloads)));
    expect(sorted(Object.keys(ITEM_TAG_SETS))).toEqual(sorted(ITEM_TAGS));
  });

  it('list every kind of conversation, message, and document, and every role', () => {
    const types = conversationType.options;
    const required = sorted([
      ...types.map((type) => `conversation ${type}`),
      ...types.map((type) => `message ${type}`),
      ...visibility.options.map((option) => `document ${option}`),
      ...Object.values(RESOURCES).flat(),
    ]);
    expect(required.filter((kind) => !KIND_NAMES.some((name) => name === kind))).toEqual([]);
    expect(sorted(Object.values(ROLE_OF))).toEqual(sorted(role.options));
  });

  it('list at least one kind for every channel', () => {
    expect(sorted(KIND_NAMES.flatMap((kind) => getKind(kind).shownIn))).toEqual(sorted(CHANNELS));
  });
});
