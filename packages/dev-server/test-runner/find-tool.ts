import type { LauncherContext, Program, ServerProvider } from '../backing/server.ts';

/** The first available provider of a program. Throws the reasons if none is available. */
export const findTool = async (
  name: string,
  ways: readonly ServerProvider[],
  context: LauncherContext,
): Promise<Program> => {
  const unavailable: string[] = [];
  for (const way of ways) {
    const found = await way(context);
    if ('file' in found) return found;
    unavailable.push(`  - ${found.way}: ${found.why}`);
  }
  throw new Error(
    `${name} is not available on this machine. Provide it in one of these ways:\n${unavailable.join('\n')}`,
  );
};
