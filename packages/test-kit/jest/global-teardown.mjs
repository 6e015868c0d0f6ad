export default async ({ watch, watchAll }) => {
  const servers = await globalThis.atriumTestServers;
  // The next run of a watching Jest finds them as they are; they end with its process.
  if (watch || watchAll) return servers?.tidy();
  globalThis.atriumTestServers = undefined;
  await servers?.stop();
};
