import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { z } from 'zod';
import { ApiError, networkError } from '#lib/api/api-error.ts';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { DialogFormBody } from './form-dialog.tsx';
import { useVersionedForm } from './use-versioned-form.ts';

type Values = { title: string; place: string; people: string[] };
type Note = Values & { _id: string; version: number; readers: number };

const NOTE: Note = { _id: 'n', version: 1, title: 'Plan', place: 'Berlin', people: ['ada'], readers: 0 };

const schema = z.object({ title: z.string().trim(), place: z.string(), people: z.array(z.string()) });
const valuesOf = ({ title, place, people }: Note): Values => ({ title, place, people });
const FIELDS: FieldTexts<Values> = { title: 'Title', place: 'Place', people: 'People' };

type SaveBody = Values & { version: number };

let stored: Note;
let saveBodies: SaveBody[];
let receiveNote: (note: Note) => void;
let onConflict: (() => void) | undefined;
let loseResponse: boolean;

beforeEach(() => {
  stored = NOTE;
  saveBodies = [];
  onConflict = undefined;
  loseResponse = false;
  act(() => signInAs(buildUser('p')));
});

afterEach(() => {
  dismissToasts();
  cleanup();
});

/** Rejects an outdated version with the current resource, like the server. */
async function patch(body: SaveBody): Promise<Note> {
  saveBodies.push(body);
  if (body.version !== stored.version) {
    const messages = ['Someone else changed this in the meantime'];
    const conflict = new ApiError({ status: 409, code: 'stale_version', messages, current: stored }, '');
    onConflict?.();
    throw conflict;
  }
  stored = { ...stored, ...body, version: stored.version + 1 };
  if (loseResponse) {
    loseResponse = false;
    throw networkError();
  }
  return stored;
}

function Form() {
  const [note, setNote] = useState(NOTE);
  const [isDone, setDone] = useState(false);
  receiveNote = setNote;
  const editing = useVersionedForm({
    resource: note,
    valuesOf,
    fields: FIELDS,
    schema,
    save: (body, version) => patch({ ...body, version }),
    messages: { failed: 'Failed to save' },
    onSaved: () => setDone(true),
  });
  if (isDone) return <p>Saved</p>;
  return (
    <DialogFormBody form={editing} resourceLabel="this note" action="Save">
      <FormField control={editing.control} name="title">
        {(field) => <TextField {...field} label="Title" />}
      </FormField>
      <FormField control={editing.control} name="place">
        {(field) => <TextField {...field} label="Place" />}
      </FormField>
      <FormField control={editing.control} name="people">
        {({ value, onChange }) => (
          <>
            <Button onPress={() => onChange([...value, 'lin'])}>Add Lin</Button>
            <Button onPress={() => onChange(value.filter((person) => person !== 'ada'))}>Remove Ada</Button>
          </>
        )}
      </FormField>
    </DialogFormBody>
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('a versioned form follows saves of others until something is typed', async () => {
  render(<Form />);
  act(() => receiveNote({ ...NOTE, version: 2, title: 'Plan of Lin' }));
  await waitFor(() => expect(field('Title').value).toBe('Plan of Lin'));
  await userEvent.type(field('Title'), '!');
  act(() => receiveNote({ ...NOTE, version: 3, title: 'Plan of Bo' }));
  expect(field('Title').value).toBe('Plan of Lin!');
});

it('a versioned form follows changes within the same version, except in fields with input', async () => {
  render(<Form />);
  act(() => receiveNote({ ...NOTE, place: 'Bonn' }));
  await waitFor(() => expect(field('Place').value).toBe('Bonn'));
  await userEvent.type(field('Title'), ' of mine');
  act(() => receiveNote({ ...NOTE, place: 'Oslo' }));
  await waitFor(() => expect(field('Place').value).toBe('Oslo'));
  expect(field('Title').value).toBe('Plan of mine');
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(saveBodies).toEqual([{ title: 'Plan of mine', place: 'Oslo', people: ['ada'], version: 1 }]);
});

it('a versioned form shows both values of a field that a different user saved, and overwrites theirs after "Keep mine"', async () => {
  render(<Form />);
  await userEvent.type(field('Title'), ' of mine');
  stored = { ...NOTE, version: 4, title: 'Plan of Lin', place: 'Oslo' };
  await press('Save');
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('Plan of Lin');
  // An unchanged field takes their value without a choice.
  expect(field('Place').value).toBe('Oslo');
  expect(notice.textContent).not.toContain('Oslo');
  await press('Keep mine');
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(saveBodies.at(-1)).toEqual({ title: 'Plan of mine', place: 'Oslo', people: ['ada'], version: 4 });
});

it('a versioned form reports no conflict when a newer version has the same values', async () => {
  render(<Form />);
  await userEvent.type(field('Title'), ' of mine');
  stored = { ...NOTE, version: 7, readers: 3 };
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(saveBodies.map(({ version }) => version)).toEqual([1, 7]);
});

it('a versioned form merges lists that two users changed', async () => {
  render(<Form />);
  await press('Add Lin');
  await press('Remove Ada');
  stored = { ...NOTE, version: 4, people: ['ada', 'bo'] };
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(stored.people.toSorted()).toEqual(['bo', 'lin']);
});

it('a versioned form keeps merging while further users save', async () => {
  render(<Form />);
  await press('Add Lin');
  stored = { ...NOTE, version: 2, people: ['ada', 'bo'] };
  onConflict = () => {
    stored = { ...stored, version: stored.version + 1, people: [...stored.people, 'cy'] };
    onConflict = undefined;
  };
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(stored.people.toSorted()).toEqual(['ada', 'bo', 'cy', 'lin']);
});

it('a versioned form shows merged lists in a conflict about a different field', async () => {
  render(<Form />);
  await press('Add Lin');
  await userEvent.type(field('Title'), ' of mine');
  stored = { ...NOTE, version: 4, title: 'Plan of Lin', people: ['ada', 'bo'] };
  await press('Save');
  expect((await screen.findByRole('alert')).textContent).toContain('ada, lin, bo');
  await press('Keep mine');
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(stored).toMatchObject({ title: 'Plan of mine', people: ['ada', 'lin', 'bo'] });
});

it.each([
  ['unchanged', 'Plan of mine'],
  ['normalized by the server', 'Plan of mine '],
])('a versioned form recognizes its own save after a lost response: %s', async (_label, typedTitle) => {
  render(<Form />);
  await userEvent.clear(field('Title'));
  await userEvent.type(field('Title'), typedTitle);
  loseResponse = true;
  await press('Save');
  // The form keeps the reason after the toast.
  expect(await screen.findByText('Network error - please check your connection')).toBeTruthy();
  await press('Save');
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(stored.version).toBe(2);
});
