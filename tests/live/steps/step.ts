import type { Client } from '../../workspace/workspace.ts';
import { NotApplicableError, type Workspace } from '../workspace-state.ts';

/** A change of the workspace through the API. Throws `NotApplicableError` if it has nothing to change now. */
export type Step = (workspace: Workspace) => Promise<unknown>;
export type Steps = Readonly<Record<string, Step>>;

/** Sends a request that must succeed, unless the state of the resource does not allow it, and returns the body. */
export async function call<T = { _id: string }>(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await client.call<T & Record<string, unknown>>(method, path, body);
  const { status } = response;
  if (status < 300) return response.body;
  const description = `${method} ${path} by ${client.name}: ${status} ${JSON.stringify(response.body)}`;
  throw status === 404 || status === 409 ? new NotApplicableError(description) : new Error(description);
}

export function removeFrom<T>(values: T[], value: T): void {
  values.splice(values.indexOf(value), 1);
}
