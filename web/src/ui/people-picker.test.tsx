import '../../test/browser-gaps.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { people } from './gallery/people.ts';
import { PeoplePicker } from './people-picker.tsx';

afterEach(cleanup);

function Team({ onChange }: { onChange: (ids: string[]) => void }) {
  const [value, setValue] = useState<string[]>([]);
  const change = (ids: string[]) => {
    setValue(ids);
    onChange(ids);
  };
  return <PeoplePicker label="Team members" people={people} value={value} onChange={change} />;
}

const idOf = (firstName: string) => people.find((person) => person.firstName === firstName)?._id;

describe('the people picker', () => {
  it('keeps those already chosen while the search hides them', async () => {
    let chosen: string[] = [];
    render(<Team onChange={(ids) => (chosen = ids)} />);
    await userEvent.click(screen.getByRole('option', { name: /Lena Brandt/ }));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search people' }), 'aiko');
    expect(screen.queryByRole('option', { name: /Lena Brandt/ })).toBeNull();
    await userEvent.click(screen.getByRole('option', { name: /Aiko Nakamura/ }));
    expect(chosen).toEqual([idOf('Lena'), idOf('Aiko')]);
    expect(screen.getByText('2 selected')).toBeTruthy();
  });

  it('lets one be taken out again by its chip', async () => {
    let chosen: string[] = [];
    render(<Team onChange={(ids) => (chosen = ids)} />);
    await userEvent.click(screen.getByRole('option', { name: /Tariq Khan/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove Tariq Khan' }));
    expect(chosen).toEqual([]);
  });
});
