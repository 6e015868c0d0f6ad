import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { Button } from '../button.tsx';
import { FormFailure } from '../notice.tsx';
import { Toaster } from '../overlays/toaster.tsx';
import { useAction } from '../overlays/use-action.ts';

const SRC = join(import.meta.dirname, '../..');

afterEach(() => {
  cleanup();
  dismissToasts();
});

function Failing() {
  const { run, failure } = useAction(async () => {
    throw new Error('The room is taken');
  }, 'Failed to save');
  return (
    <>
      <Toaster />
      <FormFailure failure={failure} />
      <Button onPress={() => void run()}>Save</Button>
    </>
  );
}

it('a form failure is shown in the form and announced once, by the toast', async () => {
  render(<Failing />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findAllByText('The room is taken')).toHaveLength(2);
  const liveRegions = [...screen.getAllByRole('alert'), ...screen.getAllByRole('status')];
  expect(liveRegions.flatMap((region) => within(region).queryAllByText('The room is taken'))).toHaveLength(1);
});

const ANNOUNCES = /\b(?:showError|showErrorToast|announceFailure|reportFailure|useAction)\(/;
const OWN_ALERT = /role="alert"|<Notice tone="danger">/;

it('no component whose failures a toast announces has its own alert', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx$/.test(file),
  );
  const violations = files.filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return ANNOUNCES.test(text) && OWN_ALERT.test(text);
  });
  expect(files.length).toBeGreaterThan(100);
  expect(violations).toEqual([]);
});
