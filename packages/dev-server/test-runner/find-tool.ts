import type { LauncherContext, Program, ServerProvider } from '../backing/server.ts';

/** The first of some ways to have a program that is open on this machine; throws with why each of them is not. */
export const findTool = async (
  name: string,
  ways: readonly ServerProvider[],
  toolbox: LauncherContext,
): Promise<Program> => {
  const refusals: string[] = [];
  for (const way of ways) {
    const found = await way(toolbox);
    if ('file' in found) return found;
    refusals.push(`  - ${found.way}: ${found.why}`);
  }
  throw new Error(`${name} is not to be had on this machine. Any one of these would do:\n${refusals.join('\n')}`);
};
