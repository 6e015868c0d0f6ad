import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { SWRConfig } from 'swr';
import { type Department, useDepartmentList } from '#entities/department/use-departments.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { DepartmentDialog } from './department-dialogs.tsx';

const SALES: Department = { _id: 'd'.repeat(24), name: 'Sales', employeeCount: 2, isActive: true, version: 1 };

let stop: () => Promise<void>;
let hangs: boolean;
let requests: string[];

beforeEach(async () => {
  hangs = false;
  requests = [];
  act(() => signInAs(buildUser('p', { role: 'admin' })));
  ({ stop } = await startApi(({ method, path, body }) => {
    requests.push(`${method} ${path}`);
    if (method === 'PATCH') {
      hangs = true;
      return { status: 200, body: { ...SALES, ...(body as { name: string }), version: 2 } };
    }
    if (hangs) return new Promise(() => undefined);
    return { status: 200, body: { data: [SALES], total: 1, page: 1, totalPages: 1 } };
  }));
});

afterEach(async () => {
  dismissToasts();
  cleanup();
  await stop();
});

function Screen() {
  const { data } = useDepartmentList({ search: '', page: '1' });
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul>
        {data?.data.map(({ _id, name }) => (
          <li key={_id}>{name}</li>
        ))}
      </ul>
      <button type="button" onClick={() => setOpen(true)}>
        Edit
      </button>
      {isOpen && <DepartmentDialog department={data?.data[0]} onClose={() => setOpen(false)} />}
    </>
  );
}

it("department dialog closes after saving, with the new name in the list before the list's own response", async () => {
  render(
    <SWRConfig value={swrConfig}>
      <Screen />
    </SWRConfig>,
  );
  await screen.findByText('Sales');
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  const name = await screen.findByRole('textbox', { name: /Department name/ });
  await userEvent.clear(name);
  await userEvent.type(name, 'Sales and service');
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('listitem').textContent).toBe('Sales and service');
  await waitFor(() => expect(requests.filter((request) => request.startsWith('GET '))).toHaveLength(2));
});
