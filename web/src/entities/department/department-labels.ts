import { formatNumber } from '#lib/formats.ts';
/** '1 employee', '2,345 employees'. */
export function employees(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'employee' : 'employees'}`;
}
