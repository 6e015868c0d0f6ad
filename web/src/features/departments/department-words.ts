/** '1 employee', '2,345 employees'. */
export function employees(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'employee' : 'employees'}`;
}
