import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { EmojiSection } from './emoji-section.tsx';

afterEach(cleanup);

it('the emoji of a section are one stop in the tab order, and arrow keys move between them', async () => {
  const picked: string[] = [];
  const choices = ['parrot', 'ship', 'wave'].map((name) => ({ value: `:${name}:`, name, glyph: name }));
  render(<EmojiSection title="Workspace" choices={choices} onPick={(emoji) => picked.push(emoji)} />);
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'parrot' }));
  await userEvent.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'ship' }));
  await userEvent.keyboard('{End}{ArrowRight}{Enter}');
  expect(picked).toEqual([':wave:']);
  await userEvent.tab();
  expect(document.activeElement).toBe(document.body);
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'wave' }));
});
