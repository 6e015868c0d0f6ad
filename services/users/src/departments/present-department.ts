import type { departmentResponse } from '@atrium/proto-events/http/departments';
import type { z } from 'zod';
import type { DepartmentRow } from './department-repository.ts';

export function presentDepartment(row: DepartmentRow): z.input<typeof departmentResponse> {
  return {
    _id: row.id,
    name: row.name,
    employeeCount: row.employees,
    isActive: row.is_active,
    version: row.version,
  };
}
