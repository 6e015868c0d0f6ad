import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, pageQuery, requiredName, searchText } from '../fields.ts';
import { pageOf } from '../pages.ts';

const name = requiredName('Department name is required', 100);

export const createDepartmentBody = z.object({ name });
export const updateDepartmentBody = z.object({
  name: name.optional(),
  isActive: z.boolean().optional().describe('True reactivates a deactivated department'),
  version: z.int().optional().describe('The version this change is based on; a stale one responds 409'),
});

export const departmentResponse = z.object({
  _id: id,
  name: z.string(),
  employeeCount: z.int(),
  isActive: z.boolean(),
  version: z.int(),
});

export const listDepartments = endpoint({
  method: 'GET',
  path: '/departments',
  summary: 'List departments by name',
  access: 'user',
  query: pageQuery.extend({ search: searchText(100, 'Words of the name, or parts of them, in any order') }),
  response: pageOf(departmentResponse),
  status: 200,
});

export const getDepartmentStats = endpoint({
  method: 'GET',
  path: '/departments/stats',
  summary: 'Count departments and employees',
  access: 'user',
  response: z.object({
    total: z.int(),
    active: z.int(),
    employees: z.int().describe('People with a department'),
  }),
  status: 200,
});

export const createDepartment = endpoint({
  method: 'POST',
  path: '/departments',
  summary: 'Create a department (administrators)',
  access: 'admin',
  forbiddenMessage: 'Only administrators can change departments',
  idempotent: true,
  body: createDepartmentBody,
  response: departmentResponse,
  status: 201,
  errors: ['conflict'],
});

export const getDepartment = endpoint({
  method: 'GET',
  path: '/departments/:id',
  summary: 'Get a department',
  access: 'user',
  params: idParams,
  response: departmentResponse,
  status: 200,
  errors: ['not_found'],
});

export const updateDepartment = endpoint({
  method: 'PATCH',
  path: '/departments/:id',
  summary: 'Rename or reactivate a department (administrators)',
  access: 'user',
  params: idParams,
  body: updateDepartmentBody,
  response: departmentResponse,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict', 'stale_version'],
});

export const deleteDepartment = endpoint({
  method: 'DELETE',
  path: '/departments/:id',
  summary: 'Delete a department without employees (204), or deactivate one with employees (200) (administrators)',
  access: 'user',
  params: idParams,
  response: departmentResponse,
  status: 200,
  alternateStatus: 204,
  errors: ['forbidden', 'not_found'],
});
