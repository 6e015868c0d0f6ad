import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useDashboardCounts } from './use-dashboard-counts.ts';

/** Everything but the clock. */
const TIMERS = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'requestAnimationFrame',
  'queueMicrotask',
  'nextTick',
  'performance',
] as const;

let stop: () => Promise<void>;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-29T12:00:00'), doNotFake: [...TIMERS] });
  signInAs(buildUser('a'));
});

afterEach(async () => {
  jest.useRealTimers();
  await stop();
});

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

it('requests the counts again on the next day, when more projects are overdue', async () => {
  let overdue = 3;
  ({ stop } = await startApi(() => ({ status: 200, body: { active: 5, completed: 2, overdue } })));
  const { result } = renderHook(useDashboardCounts, { wrapper });
  await waitFor(() => expect(result.current.counts.overdue).toBe(3));
  overdue = 4;
  jest.setSystemTime(new Date('2026-11-30T08:00:00'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(result.current.counts.overdue).toBe(4));
});
