import type { Task } from '@atrium/proto-events/http/tasks';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef } from 'react';
import { addDays, dayOfDate } from '#lib/time/day.ts';
import { startApi } from '#test/api-server.ts';
import { buildProject } from '#test/build-project.ts';
import { buildTask } from '#test/build-task.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { QuickAdd } from './quick-add.tsx';

const PORTAL = buildProject({ _id: '1'.repeat(24), name: 'Customer Portal' });
const WEBSITE = buildProject({ _id: '2'.repeat(24), name: 'Website' });

let stop: () => Promise<void>;
let projects: readonly object[];
let bodies: object[];
let added: Task[];
let undone: number;

beforeEach(async () => {
  projects = [PORTAL, WEBSITE];
  bodies = [];
  added = [];
  undone = 0;
  localStorage.clear();
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(async ({ method, body }) => {
    if (method === 'GET')
      return { status: 200, body: { data: projects, total: projects.length, page: 1, totalPages: 1 } };
    bodies.push(body as object);
    return { status: 201, body: { ...buildTask('t'), ...(body as object), assignedTo: null } };
  }));
});

afterEach(async () => {
  dismissToasts();
  cleanup();
  await stop();
});

function Screen() {
  const field = useRef<HTMLInputElement>(null);
  const undo = () => {
    undone += 1;
    return true;
  };
  return <QuickAdd field={field} onAdded={(task) => added.push(task)} onUndo={undo} />;
}

async function renderField(): Promise<HTMLInputElement> {
  render(<Screen />, withQueryCache);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Add a task' });
  await userEvent.click(field);
  return field;
}

describe('quick add', () => {
  it('adds a task of the user with what was understood, and empties the field', async () => {
    const field = await renderField();
    await userEvent.keyboard('Report tomorrow #website !high');
    await screen.findByText('Website');
    expect(screen.getByText('Tomorrow')).toBeTruthy();
    expect(screen.getByText('High')).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(field.value).toBe(''));
    expect(bodies).toEqual([
      {
        title: 'Report',
        project: WEBSITE._id,
        assignedTo: buildUser('a')._id,
        dueDate: addDays(dayOfDate(new Date()), 1),
        priority: 'high',
      },
    ]);
    expect(added).toHaveLength(1);
    expect(document.activeElement).toBe(field);
  });

  it('completes a project with the keyboard, and uses the latest one from then on', async () => {
    const field = await renderField();
    await userEvent.keyboard('Report #');
    await screen.findByRole('option', { name: 'Customer Portal' });
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { name: 'Website' }).getAttribute('aria-selected')).toBe('true');
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(field.value).toBe('Report #Customer Portal ');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(field.value).toBe(''));
    await userEvent.keyboard('Another task{Enter}');
    await waitFor(() => expect(bodies).toHaveLength(2));
    expect(bodies).toMatchObject([{ project: PORTAL._id }, { title: 'Another task', project: PORTAL._id }]);
  });

  it('asks for a project if none is known, and adds nothing without a title', async () => {
    const field = await renderField();
    await screen.findByText(/Enter adds the task/);
    await userEvent.keyboard('#website{Enter}');
    expect(screen.getByText('What needs to be done?')).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.keyboard('Report #nothing');
    expect(screen.getByText('Choose a project for “#nothing”.')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).not.toBe(field);
    expect(field.value).toBe('Report #nothing');
    await userEvent.clear(field);
    await userEvent.keyboard('Report{Enter}');
    expect(field.value).toBe('Report #');
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    expect(bodies).toEqual([]);
  });

  it('replaces the name of an unknown project with the one that is chosen', async () => {
    const field = await renderField();
    await userEvent.keyboard('Report #nothing friday{Enter}');
    expect(field.value).toBe('Report #nothing friday');
    expect([field.selectionStart, field.selectionEnd]).toEqual([8, 15]);
    await screen.findByRole('option', { name: 'Customer Portal' });
    await userEvent.keyboard('{Enter}');
    expect(field.value).toBe('Report #Customer Portal friday');
  });

  it('writes a text that is too long for a title into the description', async () => {
    projects = [PORTAL];
    const field = await renderField();
    const text = 'Long '.repeat(60).trim();
    await userEvent.paste(`${text} tomorrow`);
    await screen.findByText('The whole text will be in the description.');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(field.value).toBe(''));
    expect(bodies).toEqual([expect.objectContaining({ title: `${text.slice(0, 199)}…`, description: text })]);
  });

  it('says that a date is in the past', async () => {
    await renderField();
    await userEvent.keyboard('Report 2020-01-02');
    await screen.findByText(/2020, in the past$/);
  });

  it('needs no project in the line if the user has only one, and explains that tasks belong to projects', async () => {
    projects = [PORTAL];
    await renderField();
    await userEvent.keyboard('Report');
    await screen.findByText('Customer Portal');
    cleanup();
    projects = [];
    await renderField();
    await screen.findByText(/Tasks belong to projects/);
  });

  it('undoes the last change with the undo key of an empty field only', async () => {
    await renderField();
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(undone).toBe(1);
    await userEvent.keyboard('Report{Control>}z{/Control}');
    expect(undone).toBe(1);
  });
});
