export default async ({ watch, watchAll }) => {
  const servers = await globalThis.atriumTestServers;
  // In watch mode, the next run reuses the servers, which stop with the process.
  if (watch || watchAll) return servers?.removeLeftovers();
  globalThis.atriumTestServers = undefined;
  await servers?.stop();
};
