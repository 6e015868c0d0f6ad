import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ComboBox } from './combo-box.tsx';

afterEach(cleanup);

const MANAGERS = ['Ada Admin', 'Ben Builder', 'Zoe Last'].map((label) => ({ value: label.slice(0, 3), label }));

/** Searches a server that returns at most two results. */
function Managers({ results }: { results?: typeof MANAGERS }) {
  const [text, setText] = useState('');
  const [value, setValue] = useState('');
  const options = results ?? MANAGERS.filter(({ label }) => label.includes(text)).slice(0, 2);
  return (
    <>
      <ComboBox label="Manager" options={options} value={value} onChange={setValue} onSearch={setText} />
      <output>{`${value}, searched for "${text}"`}</output>
      <button type="button">Elsewhere</button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /Manager/ });
const optionTexts = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const state = () => screen.getByRole('status', { hidden: true }).textContent;

async function chooseZoe(): Promise<void> {
  render(<Managers />);
  await userEvent.type(field(), 'Zo');
  await userEvent.click(await screen.findByRole('option', { name: 'Zoe Last' }));
}

describe('a combo box with server search', () => {
  it('offers the first options, and other options by search', async () => {
    render(<Managers />);
    await userEvent.click(field());
    expect(optionTexts()).toEqual(['Ada Admin', 'Ben Builder']);
    await userEvent.type(field(), 'Zo');
    expect(await screen.findByRole('option', { name: 'Zoe Last' })).toBeTruthy();
    expect(optionTexts()).toEqual(['Zoe Last']);
  });

  it('offers options that the server matched by a field other than the name', async () => {
    render(<Managers results={[{ value: 'Ben', label: 'Ben Builder' }]} />);
    await userEvent.type(field(), 'ben@example.org');
    expect(optionTexts()).toEqual(['Ben Builder']);
  });

  it('keeps the selected option next to the first options', async () => {
    await chooseZoe();
    expect(state()).toBe('Zoe, searched for ""');
    expect(field().value).toBe('Zoe Last');
    await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(field().value).toBe('Zoe Last');
    await userEvent.click(screen.getByRole('button', { name: /Show choices for Manager/ }));
    expect(optionTexts()).toEqual(['Zoe Last', 'Ada Admin', 'Ben Builder']);
  });

  it('restores the selection when a search is left without a choice', async () => {
    await chooseZoe();
    await userEvent.type(field(), 'xx');
    expect(screen.getByText('No match')).toBeTruthy();
    await userEvent.tab();
    expect(field().value).toBe('Zoe Last');
    expect(state()).toBe('Zoe, searched for ""');
  });

  it('clears its value when its text is removed', async () => {
    await chooseZoe();
    await userEvent.clear(field());
    expect(state()).toBe(', searched for ""');
  });
});

it.each(['last zoe', 'ZÖE', 'z las', 'Zo\u0308e'])(
  'a combo box of all options offers those that match %s',
  async (text) => {
    render(<ComboBox label="Manager" options={MANAGERS} value="" onChange={() => undefined} />);
    await userEvent.type(field(), text);
    expect(optionTexts()).toEqual(['Zoe Last']);
  },
);
