import type { sessionUser } from '@atrium/proto-events/http/auth';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { z } from 'zod';
import type { Account } from './account-repository.ts';

export function presentSessionUser(directory: Directory, account: Account): z.input<typeof sessionUser> {
  const known = directory.user(account.id);
  const departmentId = known ? known.departmentId : account.department_id;
  const department = departmentId === null ? undefined : directory.department(departmentId);
  return {
    _id: account.id,
    firstName: known?.firstName ?? account.first_name,
    lastName: known?.lastName ?? account.last_name,
    email: account.email,
    role: known?.role ?? account.role,
    status: 'active',
    department: department ? { _id: department._id, name: department.name } : null,
    avatar: known?.avatar ?? null,
  };
}
