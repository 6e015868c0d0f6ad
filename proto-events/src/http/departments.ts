import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, pageOf, pageQuery, requiredName, searchText } from '../fields.ts';

const name = requiredName('Department name is required', 100);

export const createDepartmentBody = z.object({ name });
export const updateDepartmentBody = z.object({
  name: name.optional(),
  isActive: z.boolean().optional().describe('True brings a deactivated department back'),
  version: z.int().optional().describe('The version this change was made on; a stale one answers 409'),
});

/** A department with the number of people in it who are not deleted. */
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
  summary: 'Departments by name',
  access: 'user',
  query: pageQuery.extend({ search: searchText(100, 'Words of the name, or parts of them, in any order') }),
  response: pageOf(departmentResponse),
  status: 200,
});

export const getDepartmentStats = endpoint({
  method: 'GET',
  path: '/departments/stats',
  summary: 'How many departments and employees there are',
  access: 'user',
  response: z.object({
    total: z.int(),
    active: z.int(),
    employees: z.int().describe('People who are in a department'),
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
  summary: 'One department',
  access: 'user',
  params: idParams,
  response: departmentResponse,
  status: 200,
  errors: ['not_found'],
});

export const updateDepartment = endpoint({
  method: 'PATCH',
  path: '/departments/:id',
  summary: 'Rename a department, or bring it back (administrators)',
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
  summary: 'Delete a department without employees (204), or deactivate one that has some (200) (administrators)',
  access: 'user',
  params: idParams,
  response: departmentResponse,
  status: 200,
  alternateStatus: 204,
  errors: ['forbidden', 'not_found'],
});
