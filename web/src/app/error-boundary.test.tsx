import '../../test/browser-gaps.ts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { startApi } from '../../test/api-server.ts';
import { ErrorBoundary } from './error-boundary.tsx';

type Report = { path: string; body: unknown };

const reports: Report[] = [];
let stop: () => Promise<void>;

beforeEach(async () => {
  // React prints what it caught, which is what this is about.
  jest.spyOn(console, 'error').mockReturnValue(undefined);
  ({ stop } = await startApi(({ path, body }) => {
    reports.push({ path, body });
    return { status: 204 };
  }));
});

afterEach(async () => {
  cleanup();
  jest.restoreAllMocks();
  await stop();
});

function Faulty(): never {
  throw new Error('The tiles are out of order');
}

describe('a screen that cannot be drawn', () => {
  it('gives way to words and two ways on, and the server is told', async () => {
    render(
      <ErrorBoundary>
        <Faulty />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeTruthy();
    const words = "We're sorry, but something unexpected happened. Our team has been notified.";
    expect(screen.getByText(words)).toBeTruthy();
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Return to Dashboard',
      'Refresh Page',
    ]);
    await waitFor(() => expect(reports.length).toBeGreaterThan(0));
    expect(reports[0]).toMatchObject({
      path: '/api/client-errors',
      body: { message: 'The tiles are out of order', path: '/' },
    });
  });
});
