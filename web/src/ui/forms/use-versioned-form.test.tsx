import '../../../test/browser-gaps.ts';
import '../../../test/patience.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { z } from 'zod';
import { aPerson } from '../../../test/a-person.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { FormField } from '../../lib/forms/form-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { EditForm } from './edit-form.tsx';
import { useVersionedForm } from './use-versioned-form.ts';

type Note = { _id: string; version: number; title: string; place: string; readers: number };

const NOTE: Note = { _id: 'n', version: 1, title: 'Plan', place: 'Berlin', readers: 0 };

const schema = z.object({ title: z.string(), place: z.string() });
const valuesOf = ({ title, place }: Note) => ({ title, place });
const SHOWN = {
  Title: ({ title }: { title: string }) => title,
  Place: ({ place }: { place: string }) => place,
};

type Sent = { title: string; place: string; version: number };

let stored: Note;
let sent: Sent[];
let follow: (note: Note) => void;

beforeEach(() => {
  [stored, sent] = [NOTE, []];
  act(() => signInAs(aPerson('p')));
});

afterEach(() => {
  dismissToasts();
  cleanup();
});

/** As the server takes it: a version that is not the present one is refused with what there is. */
async function patch(body: Sent): Promise<Note> {
  sent.push(body);
  if (body.version !== stored.version) {
    const messages = ['Somebody else has saved it meanwhile'];
    throw new ApiError({ status: 409, code: 'stale_version', messages, current: stored }, '');
  }
  stored = { ...stored, ...body, version: stored.version + 1 };
  return stored;
}

function Form() {
  const [note, setNote] = useState(NOTE);
  const [isDone, setDone] = useState(false);
  follow = setNote;
  const editing = useVersionedForm({
    resource: note,
    valuesOf,
    schema,
    save: (body, version) => patch({ ...body, version }),
    words: { failed: 'Failed to save' },
    onSaved: () => setDone(true),
  });
  if (isDone) return <p>Saved</p>;
  return (
    <EditForm of={editing} what="this note" shown={SHOWN} action="Save">
      <FormField control={editing.control} name="title">
        {(field) => <TextField {...field} label="Title" />}
      </FormField>
      <FormField control={editing.control} name="place">
        {(field) => <TextField {...field} label="Place" />}
      </FormField>
    </EditForm>
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('follows what others save until something is typed', async () => {
  render(<Form />);
  act(() => follow({ ...NOTE, version: 2, title: 'Plan of Lin' }));
  await waitFor(() => expect(field('Title').value).toBe('Plan of Lin'));
  await userEvent.type(field('Title'), '!');
  act(() => follow({ ...NOTE, version: 3, title: 'Plan of Bo' }));
  expect(field('Title').value).toBe('Plan of Lin!');
});

it('follows what reads otherwise by the same version, without what is typed', async () => {
  render(<Form />);
  act(() => follow({ ...NOTE, place: 'Bonn' }));
  await waitFor(() => expect(field('Place').value).toBe('Bonn'));
  await userEvent.type(field('Title'), ' of mine');
  act(() => follow({ ...NOTE, place: 'Oslo' }));
  await waitFor(() => expect(field('Place').value).toBe('Oslo'));
  expect(field('Title').value).toBe('Plan of mine');
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(sent).toEqual([{ title: 'Plan of mine', place: 'Oslo', version: 1 }]);
});

it('sets both beside each other where somebody else saved what is typed over, and saves over theirs when that is chosen', async () => {
  render(<Form />);
  await userEvent.type(field('Title'), ' of mine');
  stored = { ...NOTE, version: 4, title: 'Plan of Lin', place: 'Oslo' };
  await press('Save');
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('Plan of Lin');
  // What was not touched is theirs, and nothing to choose.
  expect(field('Place').value).toBe('Oslo');
  expect(notice.textContent).not.toContain('Oslo');
  await press('Keep mine');
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(sent.at(-1)).toEqual({ title: 'Plan of mine', place: 'Oslo', version: 4 });
});

it('asks nothing where a newer version reads the same in this form', async () => {
  render(<Form />);
  await userEvent.type(field('Title'), ' of mine');
  stored = { ...NOTE, version: 7, readers: 3 };
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(sent.map(({ version }) => version)).toEqual([1, 7]);
});
