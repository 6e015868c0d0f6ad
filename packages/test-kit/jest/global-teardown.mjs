export default async ({ watch, watchAll }) => {
  const servers = await globalThis.atriumTestServers;
  // In watch mode, the next run reuses the servers; they end with the process.
  if (watch || watchAll) return servers?.tidy();
  globalThis.atriumTestServers = undefined;
  await servers?.stop();
};
