import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ComboBox } from './combo-box.tsx';

afterEach(cleanup);

const ALL = ['Ada Admin', 'Ben Builder', 'Zoe Last'].map((label) => ({ value: label.slice(0, 3), label }));

/** A server that returns at most two results. */
function Managers({ found: answer }: { found?: typeof ALL }) {
  const [text, setText] = useState('');
  const [value, setValue] = useState('');
  const found = answer ?? ALL.filter(({ label }) => label.includes(text)).slice(0, 2);
  return (
    <>
      <ComboBox label="Manager" options={found} value={value} onChange={setValue} onSearch={setText} />
      <output>{`${value}, asked for "${text}"`}</output>
      <button type="button">Elsewhere</button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /Manager/ });
const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const state = () => screen.getByRole('status', { hidden: true }).textContent;

async function chooseZoe(): Promise<void> {
  render(<Managers />);
  await userEvent.type(field(), 'Zo');
  await userEvent.click(await screen.findByRole('option', { name: 'Zoe Last' }));
}

describe('a combo box with server search', () => {
  it('offers the first options, and others by search', async () => {
    render(<Managers />);
    await userEvent.click(field());
    expect(offered()).toEqual(['Ada Admin', 'Ben Builder']);
    await userEvent.type(field(), 'Zo');
    expect(await screen.findByRole('option', { name: 'Zoe Last' })).toBeTruthy();
    expect(offered()).toEqual(['Zoe Last']);
  });

  it('offers options that the server matched by another field than the name', async () => {
    render(<Managers found={[{ value: 'Ben', label: 'Ben Builder' }]} />);
    await userEvent.type(field(), 'ben@example.org');
    expect(offered()).toEqual(['Ben Builder']);
  });

  it('keeps the selected option next to the first options', async () => {
    await chooseZoe();
    expect(state()).toBe('Zoe, asked for ""');
    expect(field().value).toBe('Zoe Last');
    await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(field().value).toBe('Zoe Last');
    await userEvent.click(screen.getByRole('button', { name: /Show choices for Manager/ }));
    expect(offered()).toEqual(['Zoe Last', 'Ada Admin', 'Ben Builder']);
  });

  it('restores the selection when another search is left', async () => {
    await chooseZoe();
    await userEvent.type(field(), 'xx');
    expect(screen.getByText('No match')).toBeTruthy();
    await userEvent.tab();
    expect(field().value).toBe('Zoe Last');
    expect(state()).toBe('Zoe, asked for ""');
  });

  it('clears its value when its text is removed', async () => {
    await chooseZoe();
    await userEvent.clear(field());
    expect(state()).toBe(', asked for ""');
  });
});

it.each(['last zoe', 'ZÖE', 'z las', 'Zo\u0308e'])(
  'a combo box of all options offers those that match %s',
  async (text) => {
    render(<ComboBox label="Manager" options={ALL} value="" onChange={() => undefined} />);
    await userEvent.type(field(), text);
    expect(offered()).toEqual(['Zoe Last']);
  },
);
