import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { TextField } from './fields/text-field.tsx';
import { IconButton } from './icon-button.tsx';

afterEach(cleanup);

/** A busy button is marked by its spinner and is not dimmed. */
const OPACITIES = { busy: '1', disabled: '0.5', icon: '0.4' };

type State = { isBusy?: boolean; isDisabled?: boolean };

function Form({ state, onSubmit }: { state: State; onSubmit: () => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextField label="Name" value="Maya" onChange={() => undefined} />
      <Button type="submit" {...state}>
        Save
      </Button>
    </form>
  );
}

function Once({ kind }: { kind: 'busy' | 'disabled' | 'icon' }) {
  const [presses, setPresses] = useState(0);
  const press = () => setPresses((count) => count + 1);
  const isUnavailable = presses > 0;
  return (
    <>
      {kind === 'icon' ? (
        <IconButton label="Press" isDisabled={isUnavailable} onPress={press}>
          <X />
        </IconButton>
      ) : (
        <Button
          isBusy={isUnavailable && kind === 'busy'}
          isDisabled={isUnavailable && kind === 'disabled'}
          onPress={press}
        >
          Press
        </Button>
      )}
      <output>{presses}</output>
    </>
  );
}

describe('an unavailable button', () => {
  it.each(['busy', 'disabled', 'icon'] as const)('keeps focus and ignores presses: %s', async (kind) => {
    render(<Once kind={kind} />);
    const button = screen.getByRole('button', { name: 'Press' });
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(getComputedStyle(button).opacity).toBe(OPACITIES[kind]);
    expect(document.activeElement).toBe(button);
    await userEvent.keyboard('{Enter} ');
    await userEvent.click(button);
    expect(document.activeElement).toBe(button);
    expect(screen.getByRole('status').textContent).toBe('1');
  });

  it.each([{ isBusy: true }, { isDisabled: true }])(
    'does not submit its form, neither by press nor by Enter: %j',
    async (state) => {
      let submits = 0;
      const onSubmit = () => {
        submits += 1;
      };
      const { rerender } = render(<Form state={state} onSubmit={onSubmit} />);
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await userEvent.type(screen.getByLabelText('Name'), '{Enter}');
      expect(submits).toBe(0);
      rerender(<Form state={{}} onSubmit={onSubmit} />);
      await userEvent.type(screen.getByLabelText('Name'), '{Enter}');
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      expect(submits).toBe(2);
    },
  );
});
