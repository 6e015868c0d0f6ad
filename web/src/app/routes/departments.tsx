import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Department } from '#entities/department/use-departments.ts';
import { canManageUsers } from '#entities/user/roles.ts';
import { DepartmentList, DepartmentStats } from '#features/departments/department-list.tsx';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Page } from '#ui/pages/page.tsx';

const DepartmentDialog = lazyNamed(() => import('#features/departments/department-dialogs.tsx'), 'DepartmentDialog');
const DeleteDepartmentDialog = lazyNamed(
  () => import('#features/departments/department-dialogs.tsx'),
  'DeleteDepartmentDialog',
);

type Opened = { kind: 'none' | 'add' } | { kind: 'edit' | 'delete'; department: Department };

export default function Departments() {
  const canManage = canManageUsers(useCurrentUser());
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const close = () => setOpened({ kind: 'none' });
  const add = () => setOpened({ kind: 'add' });
  return (
    <Page
      title="Departments"
      subtitle="Group people by department"
      actions={
        canManage && (
          <Button variant="primary" icon={<Plus />} onPress={add}>
            Add Department
          </Button>
        )
      }
    >
      <DepartmentStats />
      <DepartmentList
        canManage={canManage}
        onAdd={add}
        onAction={(kind, department) => setOpened({ kind, department })}
      />
      <Suspense fallback={null}>
        {opened.kind === 'add' && <DepartmentDialog department={undefined} onClose={close} />}
        {opened.kind === 'edit' && <DepartmentDialog department={opened.department} onClose={close} />}
        {opened.kind === 'delete' && <DeleteDepartmentDialog department={opened.department} onClose={close} />}
      </Suspense>
    </Page>
  );
}
