import '../../../test/browser-gaps.ts';
import '../../../test/retry-timeouts.ts';
import type { Task } from '@atrium/proto-events/http/tasks';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { buildUser } from '../../../test/a-person.ts';
import { buildProject } from '../../../test/a-project.ts';
import { buildTask } from '../../../test/a-task.ts';
import { startApi } from '../../../test/api-server.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { getDraft } from '../../lib/forms/drafts.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { TaskDetails } from './task-details.tsx';
import { wordsPlace } from './task-text-form.tsx';

const task = buildTask('e', { description: 'As it was' });

let stop: () => Promise<void>;
/** When the server answers a save. */
let gate: Promise<void>;

beforeEach(async () => {
  localStorage.clear();
  gate = Promise.resolve();
  ({ stop } = await startApi(async ({ method, body }) => {
    if (method !== 'PATCH') return { status: 404, body: {} };
    await gate;
    return { status: 200, body: { ...task, ...(body as object), version: task.version + 1 } };
  }));
  act(() => signInAs(buildUser('a')));
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await stop();
});

function Opened({ given }: { given: Task }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={given.title}>
      <TaskDetails task={given} project={buildProject()} onDeleted={() => undefined} />
    </Dialog>
  );
}

const open = (given = task) => render(<Opened given={given} />);
const edit = () => screen.queryByRole('button', { name: 'Edit title and description' });
const description = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function type(words: string): Promise<void> {
  await press('Edit title and description');
  await userEvent.type(description(), words);
}

/** A page that goes without being left. */
function reload(): void {
  const disk = { ...localStorage };
  cleanup();
  for (const [key, value] of Object.entries(disk)) localStorage.setItem(key, value);
}

describe('the words of a task', () => {
  it('are there after a reload as they were typed, in the form that they were typed in', async () => {
    open();
    await type(', and mine');
    reload();
    open();
    expect(await screen.findByText(/has been restored/)).toBeTruthy();
    expect(description().value).toBe('As it was, and mine');
    await press('Discard it');
    expect(description().value).toBe('As it was');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Title/ }));
    expect(getDraft(wordsPlace(task._id))).toBeUndefined();
  });

  it('go over no newer save unasked', async () => {
    open();
    await type(', and mine');
    reload();
    open({ ...task, description: 'As Lena has it', version: 2 });
    const notice = await screen.findByRole('alert');
    expect(notice.textContent).toContain('As Lena has it');
    expect(notice.textContent).toContain('As it was, and mine');
  });

  it('are only read by who may not change them any more', async () => {
    open();
    await type(', and mine');
    reload();
    open({ ...task, abilities: { ...task.abilities, update: false } });
    expect(screen.getByText('As it was')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Description' })).toBeNull();
  });
});

describe('the form of a task’s words', () => {
  it.each([
    ['saved', ['Save']],
    ['cancelled', ['Cancel', 'Discard changes']],
  ])('gives the focus to the button that opened it once it is %s, and leaves no draft', async (_how, presses) => {
    open();
    await type(' once');
    for (const name of presses) await press(name);
    await waitFor(() => expect(edit()).not.toBeNull());
    expect(document.activeElement).toBe(edit());
    expect(getDraft(wordsPlace(task._id))).toBeUndefined();
  });

  it('leaves it with who has gone on to something else meanwhile', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    gate = promise;
    open();
    await type(' once');
    await press('Save');
    const comment = screen.getByRole('textbox', { name: 'Comment' });
    await userEvent.type(comment, 'By Friday');
    answer();
    await waitFor(() => expect(edit()).not.toBeNull());
    expect(document.activeElement).toBe(comment);
  });
});
