import type { Task } from '@atrium/proto-events/http/tasks';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { getDraft } from '#lib/forms/drafts.ts';
import { startApi } from '#test/api-server.ts';
import { buildProject } from '#test/build-project.ts';
import { buildTask } from '#test/build-task.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { TaskDetails } from './task-dialog.tsx';
import { textDraftKey } from './task-text-form.tsx';

const task = buildTask('e', { description: 'Original' });

let stop: () => Promise<void>;
/** Resolves when the server responds to a save. */
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

function OpenedTask({ openTask }: { openTask: Task }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={openTask.title}>
      <TaskDetails task={openTask} project={buildProject()} onDeleted={() => undefined} />
    </Dialog>
  );
}

const open = (openTask = task) => render(<OpenedTask openTask={openTask} />, withQueryCache);
const edit = () => screen.queryByRole('button', { name: 'Edit title and description' });
const description = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function type(text: string): Promise<void> {
  await press('Edit title and description');
  await userEvent.type(description(), text);
}

/** Reloads without running unload handlers. */
function reload(): void {
  const disk = { ...localStorage };
  cleanup();
  for (const [key, value] of Object.entries(disk)) localStorage.setItem(key, value);
}

describe('task text draft', () => {
  it('is restored after a reload in the open form', async () => {
    open();
    await type(', and mine');
    reload();
    open();
    expect(await screen.findByText(/have been restored/)).toBeTruthy();
    expect(description().value).toBe('Original, and mine');
    await press('Discard them');
    expect(description().value).toBe('Original');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Title/ }));
    expect(getDraft(textDraftKey(task._id))).toBeUndefined();
  });

  it('is shown as a conflict if the task was saved in the meantime', async () => {
    open();
    await type(', and mine');
    reload();
    open({ ...task, description: 'Description by Lena', version: 2 });
    const notice = await screen.findByRole('alert');
    expect(notice.textContent).toContain('Description by Lena');
    expect(notice.textContent).toContain('Original, and mine');
  });

  it('is read-only if the user can no longer edit the task', async () => {
    open();
    await type(', and mine');
    reload();
    open({ ...task, abilities: { ...task.abilities, update: false } });
    expect(screen.getByText('Original')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Description' })).toBeNull();
  });
});

describe('task text form', () => {
  it.each([
    ['saved', ['Save']],
    ['canceled', ['Cancel', 'Discard changes']],
  ])('returns focus to its button once it is %s, and leaves no draft', async (_end, presses) => {
    open();
    await type(' once');
    for (const name of presses) await press(name);
    await waitFor(() => expect(edit()).not.toBeNull());
    expect(document.activeElement).toBe(edit());
    expect(getDraft(textDraftKey(task._id))).toBeUndefined();
  });

  it('leaves focus where it is if it has moved elsewhere', async () => {
    const { promise, resolve: respond } = Promise.withResolvers<void>();
    gate = promise;
    open();
    await type(' once');
    await press('Save');
    const comment = screen.getByRole('textbox', { name: 'Comment' });
    await userEvent.type(comment, 'By Friday');
    respond();
    await waitFor(() => expect(edit()).not.toBeNull());
    expect(document.activeElement).toBe(comment);
  });
});
