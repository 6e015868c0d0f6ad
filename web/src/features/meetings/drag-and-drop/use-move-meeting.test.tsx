import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { useCalendarMeetings } from '#entities/meeting/use-meetings.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { toCalendarEvent } from '../layout/calendar-event.ts';
import { HOUR_MS } from '../layout/span.ts';
import type { Scope } from '../use-meeting-actions.ts';
import { useMoveMeeting } from './use-move-meeting.ts';

const ID = 'b'.repeat(24);
const NINE = Date.UTC(2026, 10, 30, 9);
const at = (hours: number) => ({ start: NINE + hours * HOUR_MS, end: NINE + (hours + 1) * HOUR_MS });
const timesAt = (hours: number) => ({
  startTime: new Date(at(hours).start).toISOString(),
  endTime: new Date(at(hours).end).toISOString(),
});

/** The server's state and its requests. Each save waits for its `gate`; lists hang if they are unavailable. */
let serverMeeting: { version: number } & ReturnType<typeof timesAt>;
let sent: unknown[];
let gate: (count: number) => Promise<'saved' | 'rejected'>;
let areListsAvailable: boolean;
let announcements: string[];
let stop: () => Promise<void>;

beforeEach(async () => {
  serverMeeting = { version: 1, ...timesAt(0) };
  sent = [];
  announcements = [];
  areListsAvailable = true;
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(async ({ method, body }) => {
    const presentMeeting = () => ({ _id: ID, title: 'Review', ...serverMeeting });
    if (method === 'GET' && !areListsAvailable) return new Promise<never>(() => undefined);
    if (method === 'GET') return { status: 200, body: { data: [presentMeeting()], more: false } };
    const update = body as typeof serverMeeting;
    sent.push(update);
    const outcome = await gate(sent.length);
    if (outcome === 'rejected' || update.version !== serverMeeting.version)
      return { status: 409, body: { message: 'Not so', code: 'stale_version', requestId: 'r' } };
    serverMeeting = { ...update, version: serverMeeting.version + 1 };
    return { status: 200, body: presentMeeting() };
  }));
});
afterEach(async () => {
  cleanup();
  dismissToasts();
  await stop();
});

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

async function open() {
  const query = { from: timesAt(0).startTime, to: timesAt(24).startTime, whose: 'mine' as const };
  const announce = (text: string) => void announcements.push(text);
  const { result } = renderHook(() => ({ list: useCalendarMeetings(query), ...useMoveMeeting(announce) }), { wrapper });
  const cachedMeeting = () => result.current.list.data?.data[0];
  await waitFor(() => expect(cachedMeeting()).toBeDefined());
  const pickUp = () => {
    const meeting = cachedMeeting();
    if (!meeting) throw new Error('Meeting not found in the cache');
    return toCalendarEvent(meeting);
  };
  const move = (event: ReturnType<typeof pickUp>, hours: number, scope: Scope = 'this') => {
    let completion = Promise.resolve();
    act(() => {
      completion = result.current.move(event, at(hours), { scope });
    });
    return completion;
  };
  const undo = () => {
    let wasUndone = false;
    act(() => {
      wasUndone = result.current.undo();
    });
    return wasUndone;
  };
  return { cachedMeeting, pickUp, move, undo };
}

function holdResponse() {
  let release: (outcome: 'saved' | 'rejected') => void = () => undefined;
  const outcome = new Promise<'saved' | 'rejected'>((resolve) => {
    release = resolve;
  });
  return { outcome, release };
}

it('useMoveMeeting moves a meeting that was picked up during its own save', async () => {
  const first = holdResponse();
  gate = (count) => (count === 1 ? first.outcome : Promise.resolve('saved'));
  const { pickUp, move } = await open();
  const saving = move(pickUp(), 1);
  const pickedEvent = pickUp();
  expect(pickedEvent).toMatchObject({ ...at(1), meeting: { version: 1 } });
  first.release('saved');
  await act(() => saving);
  await act(() => move(pickedEvent, 2));
  expect(sent).toEqual([
    { ...timesAt(1), version: 1 },
    { ...timesAt(2), version: 2 },
  ]);
  expect(serverMeeting).toEqual({ ...timesAt(2), version: 3 });
  expect(announcements).toEqual([]);
});

it('useMoveMeeting undoes the last move of a meeting once', async () => {
  gate = () => Promise.resolve('saved');
  const { pickUp, move, undo } = await open();
  expect(undo()).toBe(false);
  await act(() => move(pickUp(), 1));
  await act(() => move(pickUp(), 3));
  expect(undo()).toBe(true);
  expect(undo()).toBe(false);
  await waitFor(() => expect(serverMeeting).toEqual({ ...timesAt(1), version: 4 }));
  await waitFor(() => expect(currentToast()).toMatchObject({ title: 'Meeting moved back' }));
});

it('useMoveMeeting offers no undo for a rejected move or a move of several meetings', async () => {
  gate = (count) => Promise.resolve(count === 1 ? 'rejected' : 'saved');
  const { pickUp, move, undo } = await open();
  await act(() => move(pickUp(), 1));
  expect(undo()).toBe(false);
  await act(() => move(pickUp(), 2, 'all'));
  expect(undo()).toBe(false);
});

it('useMoveMeeting returns a rejected move to the saved time, not to that of another rejected move', async () => {
  const sharedResponse = holdResponse();
  gate = () => sharedResponse.outcome;
  const { cachedMeeting, pickUp, move } = await open();
  const moves = [move(pickUp(), 1), move(pickUp(), 2)];
  expect(cachedMeeting()).toMatchObject(timesAt(2));
  areListsAvailable = false;
  sharedResponse.release('rejected');
  await act(() => Promise.all(moves));
  expect(cachedMeeting()).toMatchObject(timesAt(0));
  expect(announcements).toEqual(['Review was moved back', 'Review was moved back']);
});

it('useMoveMeeting reports an unknown result if there is no response to a move, and refetches the meeting', async () => {
  gate = () => new Promise<never>(() => undefined);
  const { cachedMeeting, pickUp, move } = await open();
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { method } = new Request(input, init);
    return method === 'PATCH' ? Promise.reject(new TypeError('lost')) : original(input, init);
  };
  // It was moved, but the response was lost.
  serverMeeting = { ...timesAt(1), version: 2 };
  await act(() => move(pickUp(), 1));
  globalThis.fetch = original;
  expect(announcements).toEqual(['Could not confirm whether Review was moved']);
  expect(currentToast()).toMatchObject({ title: 'Could not confirm whether Review was moved' });
  await waitFor(() => expect(cachedMeeting()).toMatchObject({ ...timesAt(1), version: 2 }));
});
