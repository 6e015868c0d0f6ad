import type { Client } from '../../workspace/workspace.ts';
import type { Workspace } from '../workspace-state.ts';

/** A change of the workspace through the API. Throws `NotApplicableError` if it has nothing to change. */
export type Step = (workspace: Workspace) => Promise<unknown>;
export type Steps = Readonly<Record<string, Step>>;

/** Sends a request that must succeed, and returns its body. */
export async function call<T = { _id: string }>(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await client.call<T & Record<string, unknown>>(method, path, body);
  if (response.status >= 300)
    throw new Error(`${method} ${path} by ${client.name}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

export function removeFrom<T>(values: T[], value: T): void {
  values.splice(values.indexOf(value), 1);
}
