import { likePattern } from '@atrium/service-kit/postgres';

/** What a list of people may be narrowed by. */
export type UserFilter = {
  search?: string | undefined;
  role?: string | undefined;
  status?: string | undefined;
  department?: string | undefined;
  /** Those who may manage a project. */
  isManager?: true;
};

/** Conditions on `users u`. `name` tells one set of filters from another: each is a statement of its own, with its own plan. */
export type Conditions = { name: string; where: string; values: string[] };

/** Their roles, as an array of PostgreSQL. */
const MANAGERS = '{admin,project_manager}';

export function conditions({ search, role, status, department, isManager }: UserFilter): Conditions {
  const given: [name: string, sql: (parameter: string) => string, value: string | undefined][] = [
    ['search', (p) => `u.search like lower(${p})`, search && likePattern(search)],
    ['role', (p) => `u.role = ${p}`, role],
    ['status', (p) => `u.status = ${p}`, status],
    ['department', (p) => `u.department_id = ${p}`, department],
    ['manager', (p) => `u.role = any(${p}::text[])`, isManager && MANAGERS],
  ];
  const used = given.flatMap(([name, sql, value]) => (value ? [{ name, sql, value }] : []));
  return {
    name: used.map(({ name }) => `-${name}`).join(''),
    where: ['u.deleted_at is null', ...used.map(({ sql }, index) => sql(`$${index + 1}`))].join(' and '),
    values: used.map(({ value }) => value),
  };
}

/** The same of the counted kinds, which know nothing of names. */
export function countedConditions({ role, status, department }: UserFilter): Conditions {
  const given = { role, status, department_id: department };
  const used = Object.entries(given).flatMap(([column, value]) => (value ? [{ column, value }] : []));
  return {
    name: used.map(({ column }) => `-${column}`).join(''),
    where: ['true', ...used.map(({ column }, index) => `${column} = $${index + 1}`)].join(' and '),
    values: used.map(({ value }) => value),
  };
}
