import type { Kubectl } from './kubectl.ts';

/**
 * Runs a function with a namespace that does not exist yet, and deletes it afterwards, even after a failure. Throws if the namespace exists,
 * because its content would get new secrets and be deleted.
 */
export async function withTemporaryNamespace(
  { namespace, run }: Pick<Kubectl, 'namespace' | 'run'>,
  { keep }: { keep: boolean },
  use: () => Promise<void>,
): Promise<void> {
  const found = await run('get', 'namespace', namespace, '--ignore-not-found', '--output', 'name');
  if (found.trim() !== '')
    throw new Error(
      `The namespace ${namespace} already exists. This check creates and deletes it, so delete it first.`,
    );
  try {
    await use();
  } finally {
    if (!keep) await run('delete', 'namespace', namespace, '--ignore-not-found', '--wait=true');
  }
}
