import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { styled } from 'styled-components';
import { TextField } from '../fields/text-field.tsx';
import { Notice } from '../notice.tsx';
import { SelfRemovingButton } from './self-removing-button.tsx';

afterEach(cleanup);

const Search = styled.div.attrs({ role: 'search' })``;

const field = (label: string) => <TextField label={label} value="" onChange={() => undefined} />;

function Once({ children = 'Discard' }: { children?: string }) {
  const [isVisible, setVisible] = useState(true);
  return isVisible && <SelfRemovingButton onPress={() => setVisible(false)}>{children}</SelfRemovingButton>;
}

const PLACES: [string, ReactNode][] = [
  [
    'of its form',
    <form key="form">
      <Notice>
        <Once>Discard them</Once>
      </Notice>
      {field('First')}
      {field('Second')}
      <Once />
    </form>,
  ],
  [
    'of the surrounding search',
    <Search key="search">
      {field('First')}
      <Once />
    </Search>,
  ],
  [
    'of the search above its list',
    <div key="list">
      {field('Elsewhere')}
      <Search>{field('First')}</Search>
      <Once />
    </div>,
  ],
];

it.each(PLACES)(
  'a self-removing button moves focus to the first field %s, by mouse and by keyboard',
  async (_label, element) => {
    for (const press of [userEvent.click, byKeyboard]) {
      const { unmount } = render(element);
      await press(screen.getByRole('button', { name: 'Discard' }));
      expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
      expect(document.activeElement).toBe(screen.getByLabelText('First'));
      unmount();
    }
  },
);

it('a self-removing button opens no on-screen keyboard after touch', async () => {
  render(
    <form>
      {field('First')}
      <Once />
    </form>,
  );
  await userEvent.pointer({ keys: '[TouchA]', target: screen.getByRole('button', { name: 'Discard' }) });
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
  expect(document.activeElement).toBe(document.body);
});

async function byKeyboard(button: HTMLElement): Promise<void> {
  act(() => button.focus());
  await userEvent.keyboard('{Enter}');
}
