import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { countLabel } from '../layout/event-labels.ts';
import { type CalendarView, useEvents } from './use-events.ts';

const CALENDAR_VIEW: CalendarView = {
  view: 'day',
  day: '2026-11-30',
  today: '2026-11-30',
  whose: 'mine',
  project: '',
  person: '',
  show: { view() {}, day() {}, whose() {}, project() {}, person() {} },
};
const MEETING = { _id: 'b'.repeat(24), title: 'Review' };
const AT = { start: '2026-11-30T09:00:00.000Z', end: '2026-11-30T10:00:00.000Z' };
const REJECTION = { message: 'Not now', code: 'not_found', requestId: 'r' };

let stop: () => Promise<void>;
type Outcome = 'success' | 'rejection';
/** The first request resolves immediately; later ones wait for this outcome. */
let laterOutcome: Promise<Outcome>;
let endLaterRequests: (outcome: Outcome) => void;

function holdLaterRequests() {
  laterOutcome = new Promise((resolve) => {
    endLaterRequests = resolve;
  });
}

beforeEach(async () => {
  holdLaterRequests();
  let count = 0;
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(async ({ path }) => {
    count += 1;
    if (count > 1 && (await laterOutcome) === 'rejection') return { status: 404, body: REJECTION };
    const { start: startTime, end: endTime } = AT;
    return path.startsWith('/api/meetings/busy')
      ? { status: 200, body: { data: [{ person: 'c'.repeat(24), busy: [AT] }] } }
      : { status: 200, body: { data: [{ ...MEETING, startTime, endTime }], more: false } };
  }));
});
afterEach(async () => {
  cleanup();
  await stop();
});

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

it.each<[string, Partial<CalendarView>, Partial<CalendarView>]>([
  ['range', {}, { day: '2026-12-01' }],
  ['person', { whose: 'person', person: 'c'.repeat(24) }, { whose: 'person', person: 'd'.repeat(24) }],
])('calendar shows no events of a different %s while loading or after a failure', async (_name, before, after) => {
  const { result, rerender } = renderHook(
    (changes: Partial<CalendarView>) => useEvents({ ...CALENDAR_VIEW, ...changes }),
    {
      wrapper,
      initialProps: before,
    },
  );
  expect(result.current).toMatchObject({ events: [], loadState: 'loading', hasLoadedOnce: false });
  await waitFor(() => expect(result.current.events).toHaveLength(1));
  expect(result.current).toMatchObject({ loadState: undefined, hasLoadedOnce: true });

  rerender(after);
  expect(result.current).toMatchObject({ events: [], loadState: 'loading', hasLoadedOnce: true });
  endLaterRequests('rejection');
  await waitFor(() => expect(result.current.loadState).toBe('failed'));
  expect(result.current.events).toEqual([]);
  expect(result.current.query.error?.message).toBe('Not now');

  holdLaterRequests();
  endLaterRequests('success');
  await act(async () => void (await result.current.query.mutate()));
  await waitFor(() => expect(result.current.events).toHaveLength(1));
  expect(result.current.loadState).toBeUndefined();
});

it('countLabel reports a day that is not loaded, and an empty day only if it is loaded', () => {
  expect([
    countLabel(0, 'loading'),
    countLabel(0, 'failed'),
    countLabel(0, undefined),
    countLabel(2, undefined),
  ]).toEqual(['loading', 'not loaded', 'no meetings', '2 meetings']);
});
