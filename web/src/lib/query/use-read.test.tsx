import type { getProjectStats } from '@atrium/proto-events/http/projects';
import { expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { mockPreload } from '#test/mock-preload.ts';
import { swrConfig } from './swr-config.ts';
import { useRead } from './use-read.ts';

const PATH = '/projects/stats';

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

/** Renders a reader with the token `mine` and a preloaded response for `token`. */
async function renderReader(token: string) {
  const responses = { [PATH]: Promise.resolve(new Response('"early"')) };
  const requests = await mockPreload({ token, responses, bodies: { [PATH]: 'early' } });
  const renderedData: unknown[] = [];
  renderHook(
    () => {
      renderedData.push(useRead<typeof getProjectStats>('GET /projects/stats', {}).data);
    },
    { wrapper },
  );
  return { requests, renderedData };
}

it('useRead renders a preloaded response immediately and uses it as its response', async () => {
  const { requests, renderedData } = await renderReader('mine');
  await waitFor(() => expect(globalThis.preloadedResponses?.responses).toEqual({}));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(new Set(renderedData)).toEqual(new Set(['early']));
  expect(requests).toEqual([]);
});

it('useRead ignores a preloaded response of a different user', async () => {
  const { requests, renderedData } = await renderReader('theirs');
  await waitFor(() => expect(renderedData.at(-1)).toBe('late'));
  expect(renderedData).not.toContain('early');
  expect(requests).toHaveLength(1);
});
