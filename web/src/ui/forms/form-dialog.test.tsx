import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { z } from 'zod';
import { getDraft } from '#lib/forms/drafts.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { TextField } from '../fields/text-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useCreateForm } from './use-create-form.ts';

beforeEach(() => act(() => signInAs(buildUser('p'))));

afterEach(() => {
  dismissToasts();
  cleanup();
});

const schema = z.object({ name: z.string().min(1) });
const createdNames: string[] = [];

function NewNoteDialog({ onClose }: { onClose: () => void }) {
  const form = useCreateForm({
    schema,
    defaultValues: { name: '' },
    draft: 'note:new',
    create: async ({ name }) => void createdNames.push(name),
    messages: { failed: 'Failed to create note' },
    onCreated: onClose,
  });
  return (
    <FormDialog form={form} title="New Note" onClose={onClose} action="Create Note">
      <FormField control={form.control} name="name">
        {(field) => <TextField {...field} label="Name" />}
      </FormField>
    </FormDialog>
  );
}

function Page() {
  const [isOpen, setOpen] = useState(true);
  return isOpen ? <NewNoteDialog onClose={() => setOpen(false)} /> : <p>Closed</p>;
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it.each([
  ['Esc', () => userEvent.keyboard('{Escape}')],
  ['Cancel', () => press('Cancel')],
])('a changed form dialog asks on %s before it discards the input and its draft', async (_label, close) => {
  render(<Page />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Milk');
  await close();
  await screen.findByRole('alertdialog', { name: 'Discard changes?' });
  await press('Keep editing');
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('Milk');
  // Esc reaches the dialog only once the focus is back in it.
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
  await close();
  await screen.findByRole('alertdialog', { name: 'Discard changes?' });
  await press('Discard changes');
  expect(await screen.findByText('Closed')).toBeTruthy();
  expect(getDraft('note:new')).toBeUndefined();
});

it('a form dialog closes without confirmation after its form was saved', async () => {
  render(<Page />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Milk');
  await press('Create Note');
  expect(await screen.findByText('Closed')).toBeTruthy();
  expect(createdNames).toEqual(['Milk']);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('an unchanged form dialog closes at once', async () => {
  render(<Page />);
  await press('Cancel');
  expect(screen.getByText('Closed')).toBeTruthy();
});
