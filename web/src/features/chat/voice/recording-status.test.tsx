import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RecordingStatus } from './recording-status.tsx';

afterEach(cleanup);

it('canceling a recording moves focus to the button that starts one', async () => {
  let cancelCount = 0;
  const recording = {
    startedAt: 0,
    readLevel: () => 0,
    stop: async () => new File([], 'a.weba'),
    cancel: () => undefined,
    onEnded: () => undefined,
  };
  render(
    <div>
      <button type="button">Stop recording</button>
      <RecordingStatus recording={recording} onCancel={() => (cancelCount += 1)} />
    </div>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Cancel recording' }));
  expect(cancelCount).toBe(1);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stop recording' }));
});
